// The server makes the ids, and knows no keys: work done offline arrives once, and the app finds it again.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { waitForOfflineReady } from '../fixtures/app.ts'
import { ORIGIN } from '../fixtures/chromium.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { nothingWaits, signedIn } from './signed-in.ts'
import { longTest } from '../../long-test.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

/** An account, and a plan for it, through the forms. */
async function makePlan(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Accounts', exact: true }).first().click()
  await page.getByRole('link', { name: 'New account' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Flood Co')
  await button(page, 'Add account').click()
  await heading(page, 'Flood Co').waitFor()
  await page.getByRole('link', { name: 'New plan' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Dry feet')
  await button(page, 'Create plan').click()
  await heading(page, 'Dry feet').waitFor()
}

/** An initiative with an action on the screen of the plan. */
async function makeWork(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Work/ }).last().click()
  await page
    .getByRole('button', { name: /initiative$/ })
    .first()
    .click()
  await page.getByLabel('Title', { exact: true }).fill('Pumps')
  await button(page, 'Add initiative').click()
  await page.getByText('Pumps', { exact: true }).first().waitFor()
  await page.getByPlaceholder('Add an action').first().fill('Order')
  await button(page, 'Add').click()
  await page.getByText('Order', { exact: true }).first().waitFor()
}

test('an account, a plan, an initiative and an action made offline arrive once each after a kill', async () => {
  const { api, browser, page, restart } = await signedIn({})
  // The screens and records that are opened offline are on the device by then.
  await waitForOfflineReady(page)
  await browser.context.setOffline(true)
  await makePlan(page)
  const local = new URL(page.url()).pathname
  await button(page, 'More for “Dry feet”').click()
  await page.getByRole('menuitem', { name: 'Print' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /link|Share/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await makeWork(page)

  const again = await restart(`${local}?show=initiatives`)
  await heading(again, 'Dry feet').waitFor()
  await waitUntil('the action has arrived', () => api.seen('POST', /actions$/).length > 0)
  for (const path of [/accounts$/, /success-plans$/, /initiatives$/, /actions$/]) {
    expect(api.seen('POST', path)).toHaveLength(1)
    expect(api.seen('POST', path)[0]?.body).not.toContain(local.split('/').at(-1))
  }
  const { tables } = api.records
  expect(tables['success-plans'].at(-1)).toMatchObject({ account_id: '3', title: 'Dry feet' })
  expect(tables.actions.at(-1)).toMatchObject({ success_plan_id: '21', initiative_id: '2' })
  // The address is the one that others can open, and each record is shown once.
  await waitUntil('the address is replaced', () => again.url().includes('/success-plans/21'))
  expect(again.url()).toBe(`${ORIGIN}/success-plans/21?show=initiatives`)
  await nothingWaits(again)
  // Fails where there are two.
  await again.getByText('Pumps', { exact: true }).waitFor()
  await again.goto(`${ORIGIN}${local}`)
  await heading(again, 'Dry feet').waitFor()
})

longTest('those made online are one write each, with ids in the form of the server', async () => {
  const { api, page } = await signedIn({ idsInText: 'refused' })
  await makePlan(page)
  await makeWork(page)
  await waitUntil('the action has arrived', () => api.seen('POST', /actions$/).length > 0)
  await nothingWaits(page)
  for (const path of [/accounts$/, /success-plans$/, /initiatives$/, /actions$/])
    expect(api.seen('POST', path)).toMatchObject([{ status: 201 }])
  const [action] = api.seen('POST', /actions$/)
  expect(JSON.parse(action?.body ?? '')).toMatchObject({ success_plan_id: 21, initiative_id: 2 })
})

longTest('going back from a record that has got its id meanwhile focuses its link', async () => {
  const { browser, page } = await signedIn({})
  await waitForOfflineReady(page)
  await browser.context.setOffline(true)
  await page.getByRole('link', { name: 'New plan' }).first().click()
  await page.getByLabel('Title', { exact: true }).fill('Dry feet')
  await page.getByLabel('Account', { exact: true }).selectOption({ label: 'Account 2' })
  await button(page, 'Create plan').click()
  await heading(page, 'Dry feet').waitFor()
  await page.goto(`${ORIGIN}/success-plans`)
  await page.getByRole('main').getByRole('link', { name: 'Dry feet' }).click()
  await heading(page, 'Dry feet').waitFor()
  await browser.context.setOffline(false)
  await page.waitForURL(/success-plans\/21/)
  await page.goBack()
  const link = page.getByRole('main').getByRole('link', { name: 'Dry feet' })
  await waitUntil('the link has the focus', () =>
    link.evaluate((element) => element === document.activeElement),
  )
})

longTest('an update whose answer is lost is found, and not posted again', async () => {
  const { api, page, plain } = await signedIn({})
  await page.getByText('Plan 1', { exact: true }).first().click()
  await page.getByText('Kick-off of plan 1.').waitFor()
  plain.loseAnswers({ method: 'POST', path: /updates$/ })
  await page.getByRole('textbox', { name: 'Update', exact: true }).fill('They signed.')
  await button(page, 'Post update').click()
  await waitUntil('the update has arrived', () => api.seen('POST', /updates$/).length > 0)
  await nothingWaits(page)
  await page.getByText('Saved on this device').first().waitFor({ state: 'detached' })
  expect(await page.getByText('They signed.').count()).toBe(1)
  expect(api.seen('POST', /updates$/)).toHaveLength(1)
})
