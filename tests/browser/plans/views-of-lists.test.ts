// The tables of accounts, initiatives and renewals lose their groups and columns, show the saved views of another list,
// or keep them on the device after the sign-out.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  chooseSignOut,
  fillSignIn,
  pickOrganisation,
  waitForOfflineReady,
} from '../fixtures/app.ts'
import { axeViolationsNow, axeViolationsOf } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { OUTBOX, readAllStorage } from '../fixtures/readable-storage.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { inDays } from '../fixtures/in-days.ts'
import { longTest } from '../../long-test.ts'

const QUAY = { name: /Passed Quay/ }

/** Opens a panel above the table. */
const openPanel = (page: Page, name: 'Display' | 'Saved views') =>
  page.getByRole('button', { name }).press('Enter')

/** Chooses with the keyboard what the table is grouped by. */
async function groupBy(page: Page, name: string): Promise<void> {
  await openPanel(page, 'Display')
  const choice = page.getByRole('combobox', { name: 'Group by' })
  await choice.focus()
  await page.keyboard.type(name)
  await expect
    .poll(() => choice.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text))
    .toBe(name)
}

async function save(page: Page, name: string): Promise<void> {
  await openPanel(page, 'Saved views')
  await page.getByLabel('Name of the view').fill(name)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name }).waitFor()
}

longTest(
  'a saved view of accounts survives a reload without a network, is none of the plans, and is gone at the sign-out',
  async () => {
    const { ada, browser, url } = await createBrowserFixture({ usedBefore: true })
    for (const [name, tier] of [
      ['Bay', 'strategic'],
      ['Cove', 'tech-touch'],
      ['Dune', 'strategic'],
    ] as const)
      await ada.createAccount({ name: `Grouped ${name}`, tier })
    const page = await browser.open(`${url}/accounts`)
    await page.setViewportSize({ width: 1280, height: 800 })
    const table = page.getByRole('table', { name: 'Accounts' })
    await table.getByRole('rowheader', { name: 'Grouped Dune' }).waitFor()
    await waitForOfflineReady(page)
    await groupBy(page, 'Tier')
    const group = table.getByRole('rowheader', { name: /^Strategic 2$/ })
    await group.waitFor()
    await page.getByRole('checkbox', { name: 'ARR' }).press('Space')
    const arr = table.getByRole('columnheader', { name: 'ARR' })
    await arr.waitFor({ state: 'detached' })
    expect(await axeViolationsNow(page, 'how accounts are shown')).toEqual([])
    await page.keyboard.press('Escape')

    // From row to row across the headings of groups, and the rows between two in the order of the table.
    const link = (name: string) => table.getByRole('rowheader', { name }).getByRole('link')
    await link('Grouped Dune').press('ArrowDown')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toContain('Grouped Cove')
    await page.getByRole('checkbox', { name: 'Select Grouped Bay' }).click()
    await page
      .getByRole('checkbox', { name: 'Select Grouped Cove' })
      .click({ modifiers: ['Shift'] })
    await page.getByText('3 selected', { exact: true }).waitFor()
    // Escape closes a panel and nothing else.
    await openPanel(page, 'Saved views')
    await page.keyboard.press('Escape')
    await page.getByRole('group', { name: 'Saved views' }).waitFor({ state: 'hidden' })
    await page.getByText('3 selected', { exact: true }).waitFor()

    await browser.context.setOffline(true)
    await save(page, 'By tier')
    expect(await axeViolationsNow(page, 'saved views of accounts')).toEqual([])
    await page.goto(`${url}/success-plans`)
    await openPanel(page, 'Saved views')
    await page.getByText('A saved view keeps filters, order and layout').waitFor()
    expect(await page.getByRole('link', { name: 'By tier' }).count()).toBe(0)
    await page.goto(`${url}/accounts`)
    await arr.waitFor()
    await openPanel(page, 'Saved views')
    await page.getByRole('link', { name: 'By tier' }).click()
    await group.waitFor()
    await arr.waitFor({ state: 'detached' })
    await browser.context.setOffline(false)
    await waitUntil('the view is sent', async () => {
      const { [OUTBOX]: outbox } = await readAllStorage(page)
      return outbox?.includes('"state":"pending"') === false
    })

    await page.keyboard.press('Escape')
    await chooseSignOut(page)
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    expect(JSON.stringify(await readAllStorage(page))).not.toContain('By tier')
    await fillSignIn(page, ada)
    await pickOrganisation(page)
    await page.getByRole('link', { name: 'Accounts' }).first().click()
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    await openPanel(page, 'Saved views')
    await page.getByRole('link', { name: 'By tier' }).waitFor()
  },
)

test('initiatives are grouped by account, filtered by their end, and saved as a view', async () => {
  const { ada, account, browser, plan, url } = await createBrowserFixture({ usedBefore: true })
  for (const [title, end_date] of [
    ['Lay the keel', '2031-05-05'],
    ['Raise the mast', '2020-02-02'],
  ] as const)
    await ada.call('POST', '/api/v1/initiatives', { title, end_date, success_plan_id: plan.id })
  await ada.call('POST', '/api/v1/initiatives', { title: 'Sweep the quay' })
  const page = await browser.open(`${url}/initiatives`)
  await page.setViewportSize({ width: 1280, height: 800 })
  const table = page.getByRole('table', { name: 'Initiatives' })
  const row = (name: string) => table.getByRole('rowheader', { name })
  await row('Lay the keel').waitFor()
  await groupBy(page, 'Account')
  await table.getByRole('rowheader', { name: new RegExp(`^${account.name}\\s*2$`) }).waitFor()
  await table.getByRole('rowheader', { name: /^No account\s*1$/ }).waitFor()
  await page.getByRole('checkbox', { name: 'Health' }).press('Space')
  await table.getByRole('columnheader', { name: 'Health' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
  await page.getByRole('combobox', { name: 'End date' }).selectOption('Date has passed')
  await row('Sweep the quay').waitFor({ state: 'detached' })
  await save(page, 'Late by account')
  expect(await axeViolationsNow(page, 'saved views of initiatives')).toEqual([])
  await page.keyboard.press('Escape')

  await row('Raise the mast').getByRole('link').press('Space')
  await page.getByRole('complementary', { name: 'Preview of Raise the mast' }).waitFor()
  await openPanel(page, 'Saved views')
  const view = page.getByRole('link', { name: 'Late by account' })
  await expect.poll(() => view.getAttribute('aria-current')).toBe('page')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await row('Sweep the quay').waitFor()
  await openPanel(page, 'Saved views')
  await view.click()
  await row('Sweep the quay').waitFor({ state: 'detached' })
  await row('Raise the mast').waitFor()
})

longTest(
  'renewals are grouped by owner, saved as a view, show their account beside the table, and get an owner in their cell',
  async () => {
    const { ada, browser, url } = await createBrowserFixture({ usedBefore: true })
    for (const [name, days] of [
      ['Calm Harbour', 20],
      ['Passed Quay', -3],
    ] as const)
      await ada.createAccount({
        name,
        owner_id: null,
        renewal_date: inDays(days),
      })
    const page = await browser.open(`${url}/?renewals`)
    await page.setViewportSize({ width: 1280, height: 800 })
    const table = page.getByRole('table', { name: 'Renewals' })
    const row = (name: string) => table.getByRole('rowheader', { name }).getByRole('link')
    const group = (name: RegExp) => table.getByRole('rowheader', { name })
    await group(/^Passed without an outcome/).waitFor()
    // The menu stands beside the title.
    const middleOf = async (one: Locator) => {
      const { y = 0, height = 0 } = (await one.boundingBox()) ?? {}
      return y + height / 2
    }
    const title = page.getByRole('heading', { name: 'Renewals', level: 1 })
    const menu = page.getByRole('button', { name: 'More for this list' })
    await expect
      .poll(async () => Math.abs((await middleOf(menu)) - (await middleOf(title))))
      .toBeLessThan(12)
    await groupBy(page, 'Owner')
    await group(/^No owner/).waitFor()
    await page.getByRole('checkbox', { name: 'Next action' }).press('Space')
    const next = table.getByRole('columnheader', { name: 'Next action' })
    await next.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await save(page, 'By owner')
    await page.keyboard.press('Escape')

    await row('Passed Quay').press('Space')
    const pane = page.getByRole('complementary', { name: 'Preview of Passed Quay' })
    await pane.getByRole('link', { name: 'Open account' }).waitFor()
    expect(await axeViolationsNow(page, 'a renewal with its account')).toEqual([])
    await row('Passed Quay').press('ArrowDown')
    await page.getByRole('complementary', { name: 'Preview of Calm Harbour' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary').waitFor({ state: 'detached' })

    await page.goto(`${url}/?renewals`)
    await group(/^Passed without an outcome/).waitFor()
    await openPanel(page, 'Saved views')
    await page.getByRole('link', { name: 'By owner' }).click()
    await group(/^No owner/).waitFor()
    await next.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    expect(await axeViolationsOf(page, 'renewals by owner')).toEqual([])

    const owner = page.getByRole('row', QUAY).getByRole('button', { name: 'No owner' })
    await owner.press('Enter')
    await page.locator('[role^=menuitem]:focus').waitFor()
    expect(await axeViolationsNow(page, 'the owner of a renewal in its cell')).toEqual([])
    await page.keyboard.press('Escape')
    await waitUntil('the focus is on the cell again', () =>
      owner.evaluate((cell) => cell === document.activeElement),
    )
    await owner.press('Enter')
    await page.locator('[role^=menuitem]:focus').press('Enter')
    await page.getByText('Owner of “Passed Quay” changed').waitFor()
    await page.getByRole('row', QUAY).getByRole('button', { name: ada.name }).waitFor()

    // Without room beside the list.
    await row('Passed Quay').waitFor()
    await page.setViewportSize({ width: 1024, height: 800 })
    const id = (await row('Passed Quay').getAttribute('href'))?.split('/').at(-1) ?? ''
    await page.goto(`${url}/?renewals&open=${id}`)
    await page.getByRole('heading', { name: 'Passed Quay', level: 1 }).waitFor()
  },
)
