// The table of accounts cannot be sorted, filtered, exported or changed, or the outcome of a renewal recorded offline
// does not arrive.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { waitForOfflineReady } from '../fixtures/app.ts'
import { axeViolationsNow, axeViolationsOf } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { resize } from '../fixtures/frames.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { inDays } from '../fixtures/in-days.ts'
import { longTest } from '../../long-test.ts'

longTest(
  'accounts are a table that sorts by its headings, filters, exports and renders what is visible',
  async () => {
    const { ada, browser, url } = await createBrowserFixture({ usedBefore: true })
    await ada.call('POST', '/api/v1/subscriptions', { plan: 'professional' })
    for (let at = 0; at < 120; at += 1)
      await ada.createAccount({
        name: `Customer ${String(at).padStart(3, '0')}`,
        arr: at * 1_000,
        currency: 'EUR',
        tier: at % 2 === 0 ? 'strategic' : 'standard',
        // No date becomes a past one while the test runs.
        renewal_date: inDays(at === 0 ? -2 : at + 1),
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

    // The check has changed the width, so the list may have been replaced by the table just now.
    const last = page.getByRole('rowheader', { name: 'Customer 119' })
    await waitUntil('the last account is rendered', async () => {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      return await last.isVisible()
    })

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Tier', { exact: true }).selectOption('Strategic')
    await page.getByLabel('Renewal', { exact: true }).selectOption('Date has passed')
    await page.getByText('1 of').waitFor()
    await rows.first().getByText('Passed').waitFor()
    await page.getByRole('button', { name: 'Filter (2)' }).waitFor()
    await page.getByRole('button', { name: 'More for this list' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('Customer 000')

    await rows.first().getByRole('link').click()
    await page.getByRole('heading', { name: 'Customer 000', level: 1 }).waitFor()
  },
)

longTest(
  'several accounts change their tier offline, again after an undo, and each change arrives once',
  async () => {
    const { ada, browser, network, url } = await createBrowserFixture({ usedBefore: true })
    const accounts: Account[] = []
    for (const name of ['Bay', 'Cove', 'Dune'])
      accounts.push(await ada.createAccount({ name: `Many ${name}`, tier: 'standard' }))
    const page = await browser.open(`${url}/accounts`)
    await page.getByRole('rowheader', { name: 'Many Dune' }).waitFor()
    await waitForOfflineReady(page)
    await browser.context.setOffline(true)
    const table = page.getByRole('table', { name: 'Accounts' })
    const strategic = table.locator('[data-row]').filter({ hasText: 'Strategic' })
    const bar = page.getByRole('region', { name: 'Selected accounts' })
    const undo = page.getByRole('button', { name: 'Undo' })
    const chooseTier = async () => {
      await bar.getByRole('button', { name: 'Tier' }).click()
      await page.getByRole('menuitemradio', { name: 'Strategic' }).click()
      await page.getByText('Tier of 3 accounts changed').waitFor()
      // With the focus it stays.
      await undo.focus()
      await expect.poll(() => strategic.count()).toBe(3)
    }

    await page.getByRole('searchbox').fill('Many')
    await page.getByRole('checkbox', { name: 'Select Many Bay' }).click()
    await page.getByRole('checkbox', { name: 'Select Many Dune' }).click({ modifiers: ['Shift'] })
    await bar.getByText('3 selected').waitFor()
    await chooseTier()
    await undo.click()
    await page.getByText('Undone: 3 accounts').waitFor()
    await expect.poll(() => strategic.count()).toBe(0)

    await chooseTier()
    // Not before the undo, which is offered for seconds only.
    expect(await axeViolationsNow(page, 'many accounts selected')).toEqual([])
    const before = network.exchanges.length
    await browser.context.setOffline(false)
    await waitUntil('all have the new tier', async () => {
      const { data } = (await ada.call('GET', '/api/v1/accounts')) as { data: Account[] }
      return data.filter(({ tier }) => tier === 'strategic').length === 3
    })
    const edits = network.exchanges.slice(before).filter(({ method }) => method === 'PUT')
    expect(edits.map(({ path }) => path).toSorted()).toEqual(
      accounts.map(({ id }) => `/api/v1/accounts/${id}`).toSorted(),
    )
  },
)

longTest(
  'on a phone the menu turns accounts into checkboxes, and a change of one can be made',
  async () => {
    const { ada, browser, url } = await createBrowserFixture({ usedBefore: true })
    await ada.createAccount({ name: 'Harbour Foods', tier: 'standard' })
    const page = await browser.open(`${url}/accounts`)
    await page.setViewportSize({ width: 360, height: 780 })
    await waitForOfflineReady(page)
    await page.getByRole('button', { name: 'More for this list' }).click()
    await page.getByRole('menuitem', { name: 'Select accounts' }).click()
    // Until the code of the selection is there, the rows are links.
    await page.getByRole('checkbox', { name: 'Select Harbour Foods' }).waitFor()
    await page.getByText('Harbour Foods').click()
    const bar = page.getByRole('region', { name: 'Selected accounts' })
    await bar.getByText('1 selected').waitFor()
    expect(await axeViolationsNow(page, 'accounts with checkboxes')).toEqual([])
    await bar.getByRole('button', { name: 'Health' }).click()
    await page.getByRole('menuitemradio', { name: 'At risk' }).click()
    await page.getByText('Health of “Harbour Foods” changed').waitFor()
    await bar.getByRole('button', { name: 'Clear selection' }).click()
    await page.getByRole('link', { name: /Harbour Foods.*At risk/s }).waitFor()
  },
)

test('an outcome recorded offline moves the renewal at once and arrives with its history', async () => {
  const { ada, browser, network, url } = await createBrowserFixture({ usedBefore: true })
  const account = await ada.createAccount({
    name: 'Passed Harbour',
    arr: 5_000,
    currency: 'EUR',
    renewal_date: inDays(-3),
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
  // The rows behind it have no roles while it is open.
  await dialog.waitFor({ state: 'detached' })
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

longTest(
  'an account beside the table follows the arrow keys, and its actions are ticked there',
  async () => {
    const { account, ada, browser, plan, url } = await createBrowserFixture({ usedBefore: true })
    await ada.createAccount({ name: 'Aaron Chandlery' })
    await ada.call('POST', '/api/v1/actions', { title: 'Buy a chain', success_plan_id: plan.id })
    await ada.call('POST', `/api/v1/success-plans/${plan.id}/updates`, {
      body: 'They have the key.',
    })
    const page = await browser.open(`${url}/accounts`)
    await resize(page, { width: 1280, height: 800 })
    const row = (name: string) => page.getByRole('rowheader', { name }).getByRole('link')
    const pane = page.getByRole('complementary', { name: `Preview of ${account.name}` })
    await row('Aaron Chandlery').press('Space')
    await page.getByRole('complementary', { name: 'Preview of Aaron Chandlery' }).waitFor()
    await row('Aaron Chandlery').press('ArrowDown')
    await pane.getByRole('link', { name: plan.title }).first().waitFor()
    const timeline = pane.getByRole('region', { name: 'Timeline' })
    await timeline.getByRole('article').filter({ hasText: 'They have the key.' }).waitFor()
    expect(await axeViolationsNow(page, 'an account beside the table')).toEqual([])
    await pane.getByRole('checkbox', { name: /Buy a chain/ }).click()
    await waitUntil('the action is done on the server', async () => {
      const { data } = (await ada.call('GET', '/api/v1/actions')) as { data: { status: string }[] }
      return data.some(({ status }) => status === 'done')
    })
    await pane.getByRole('button', { name: 'Close the preview' }).press('Escape')
    await pane.waitFor({ state: 'detached' })
    await waitUntil('the row has the focus again', () =>
      row(account.name).evaluate((link) => link === document.activeElement),
    )
    await row(account.name).press('Enter')
    await page.getByRole('heading', { name: account.name, level: 1 }).waitFor()
  },
)
