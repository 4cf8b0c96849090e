// Records of several tables have the same id: one is taken for the other.
import { expect, test } from 'vitest'
import { ORIGIN } from '../fixtures/chromium.ts'
import { isStored, readAllStorage } from '../fixtures/readable-storage.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { signedIn } from './signed-in.ts'
import { longTest } from '../../long-test.ts'

longTest('a plan and an account with one id are both among the recent records', async () => {
  const { page } = await signedIn({})
  const recent = page.getByRole('dialog').getByRole('group', { name: 'Recent' }).getByRole('option')
  await page.getByText('Plan 1', { exact: true }).first().click()
  await page.getByRole('heading', { name: 'Plan 1', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Account 1' }).first().click()
  await page.getByRole('heading', { name: 'Account 1', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await recent.filter({ hasText: 'Plan 1' }).waitFor()
  await page.keyboard.press('Escape')
  await waitUntil('the account is stored among them', () => isStored(page, '"kind":"account"'))
  await page.goto(`${ORIGIN}/initiatives`)
  await page.getByRole('heading', { name: 'Initiatives', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  // Each is named once its own list has been read.
  for (const name of ['Plan 1', 'Account 1']) await recent.filter({ hasText: name }).waitFor()
  expect(await recent.allTextContents()).toEqual(['Account 1', 'Plan 1'])
})

test('what is typed over a contact is no draft of a new one, nor of a contact of another account', async () => {
  const { api, page } = await signedIn({})
  for (const account of api.records.tables.accounts)
    account.contacts = [{ id: 1, name: `Zoe of ${String(account.name)}`, is_primary: true }]
  await page.goto(`${ORIGIN}/accounts/1`)
  const name = page.getByRole('dialog').getByLabel('Name')
  await page.getByRole('button', { name: /Zoe of Account 1/ }).click()
  await name.fill('Zoe Typed')
  await waitUntil('the draft is stored', async () =>
    JSON.stringify(await readAllStorage(page)).includes('Zoe Typed'),
  )
  await page.reload()
  await page.getByRole('button', { name: 'Add contact' }).click()
  await name.waitFor()
  expect(await name.inputValue()).toBe('')
  await page.goto(`${ORIGIN}/accounts/2`)
  await page.getByRole('button', { name: /Zoe of Account 2/ }).click()
  await name.waitFor()
  expect(await name.inputValue()).toBe('Zoe of Account 2')
  await page.goto(`${ORIGIN}/accounts/1`)
  await page.getByRole('button', { name: /Zoe of Account 1/ }).click()
  await waitUntil('its own draft is there', async () => (await name.inputValue()) === 'Zoe Typed')
})

longTest(
  'a tab that goes on in the organisation of another tab leaves the address of its record',
  async () => {
    const { api, browser, page } = await signedIn({})
    const [ana] = api.users
    if (!ana) throw new Error('There is no user.')
    api.addOrganisation(ana, 'South')
    await page.goto(`${ORIGIN}/accounts/1`)
    await page.getByRole('heading', { name: 'Account 1', level: 1 }).waitFor()
    const other = await browser.open(`${ORIGIN}/organisations`)
    const choices = other.getByRole('list', { name: 'Your organisations' })
    await choices.getByRole('button', { name: /^South/ }).click()
    await page.getByRole('button', { name: 'Continue in South' }).click()
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    expect(page.url()).toBe(`${ORIGIN}/accounts`)
  },
)

longTest('an initiative whose change waits says so in the list', async () => {
  const { api, page } = await signedIn({})
  api.refuse({ path: /initiatives\/1$/, method: 'PUT' }, 503)
  await page.goto(`${ORIGIN}/initiatives`)
  await page.getByText('First step').first().click()
  await page.getByRole('button', { name: 'More for “First step”' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Title', { exact: true }).fill('First step, again')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.goto(`${ORIGIN}/initiatives`)
  const row = page.getByRole('row').filter({ hasText: 'First step, again' })
  await row.getByText('Not sent yet').waitFor()
})
