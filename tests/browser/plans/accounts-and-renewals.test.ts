// The table of accounts cannot be sorted, filtered or exported, or the outcome of a renewal recorded offline
// does not arrive.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { waitForOfflineReady } from '../fixtures/app.ts'
import { axeViolationsOf } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('accounts are a table that sorts by its headings, filters, exports and renders what is visible', async () => {
  const { ada, browser, url } = await createBrowserFixture({ usedBefore: true })
  await ada.call('POST', '/api/v1/subscriptions', { plan: 'professional' })
  for (let at = 0; at < 120; at += 1)
    await ada.createAccount({
      name: `Customer ${String(at).padStart(3, '0')}`,
      arr: at * 1_000,
      currency: 'EUR',
      tier: at % 2 === 0 ? 'strategic' : 'standard',
      renewal_date: dayFromNow(at - 1),
    })
  const page = await browser.open(`${url}/accounts`)
  const table = page.getByRole('table', { name: 'Accounts' })
  await waitUntil('all accounts are there', async () => {
    return Number(await table.getAttribute('aria-rowcount')) >= 121
  })
  const rows = table.locator('[data-row]')
  expect(await rows.count()).toBeLessThan(60)

  await table.getByRole('button', { name: 'ARR' }).click()
  const heading = table.getByRole('columnheader', { name: 'ARR' })
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending')
  await expect.poll(() => rows.first().innerText()).toContain('Customer 119')
  await table.getByRole('button', { name: 'ARR' }).press('Enter')
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
  await expect.poll(() => rows.first().innerText()).toContain('Customer 000')
  expect(await axeViolationsOf(page, 'the table of accounts')).toEqual([])

  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.getByRole('rowheader', { name: 'Customer 119' }).waitFor()

  await page.getByLabel('Tier', { exact: true }).selectOption('Strategic')
  await page.getByLabel('Renewal', { exact: true }).selectOption('Date has passed')
  await page.getByText('1 of').waitFor()
  await rows.first().getByText('Passed').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('Customer 000')

  await rows.first().getByText('Passed').click()
  await page.getByRole('heading', { name: 'Customer 000', level: 1 }).waitFor()
})

test('an outcome recorded offline moves the renewal at once and arrives with its history', async () => {
  const { ada, browser, network, url } = await createBrowserFixture({ usedBefore: true })
  const account = await ada.createAccount({
    name: 'Passed Harbour',
    arr: 5_000,
    currency: 'EUR',
    renewal_date: dayFromNow(-3),
  })
  const page = await browser.open(`${url}/`)
  await waitForOfflineReady(page)
  await page.getByRole('link', { name: 'Renewals by quarter' }).click()
  await page.getByRole('rowheader', { name: /^Passed without an outcome/ }).waitFor()
  expect(await axeViolationsOf(page, 'renewals')).toEqual([])
  await network.goDown()
  await page.getByRole('button', { name: 'Record outcome: Passed Harbour' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount per year').fill('6,000')
  const next = await dialog.getByLabel('Next renewal').inputValue()
  expect(await axeViolationsOf(page, 'the outcome of a renewal')).toEqual([])
  await dialog.getByRole('button', { name: 'Save outcome' }).click()
  await page
    .getByRole('rowheader', { name: /^Passed without an outcome/ })
    .waitFor({ state: 'detached' })

  await page.goto(`${url}/accounts/${account.id}`)
  await page.getByText('Renewed at €6,000').waitFor()
  await page.getByText('This account was changed on this device.').waitFor()
  expect(await axeViolationsOf(page, 'an account with a past renewal')).toEqual([])

  await network.goUp()
  const stored = await waitUntil('the outcome arrives', async () => {
    const { data } = (await ada.call('GET', `/api/v1/accounts/${account.id}`)) as { data: Account }
    return data.renewals?.length === 1 && data
  })
  expect(stored).toMatchObject({
    arr: 6_000,
    renewal_date: next,
    renewals: [{ outcome: 'renewed', amount: 6_000, currency: 'EUR', due: account.renewal_date }],
  })
})
