// The table of plans renders rows that are not visible, cannot find a colleague's plans, loses the place of the
// keyboard, or keeps what a user named after the sign-out.
import { expect, test } from 'vitest'
import {
  chooseSignOut,
  fillSignIn,
  openPlans,
  pickOrganisation,
  planRow,
  waitForOfflineReady,
} from '../fixtures/app.ts'
import { axeViolationsNow, axeViolationsOf } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { resize } from '../fixtures/frames.ts'
import { OUTBOX, readAllStorage } from '../fixtures/readable-storage.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const TABLE = { name: 'Success plans' }

longTest(
  'plans are a table of 18 rows at 1280 × 800 and 25 at 1920 × 1080 that renders what is visible, sorts, filters, groups, and leaves no view on the device at the sign-out',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { account, ada, url } = scene
    await ada.call('POST', '/api/v1/subscriptions', { plan: 'professional' })
    const name = 'Lakeshore Credit Union'
    const lakeshore = await ada.createAccount({ name })
    await ada.createPlan({
      title: 'Show the new CFO what it brings',
      type: 'customer',
      account_id: lakeshore.id,
      end_date: '2030-01-10',
    })
    for (let at = 0; at < 80; at += 1) {
      const title = `Ridge ${String(at).padStart(2, '0')}`
      const end_date = at % 2 === 0 ? '2031-03-10' : '2031-04-10'
      await ada.createPlan({
        title,
        end_date,
        ...(at === 7 ? { type: 'customer', account_id: account.id } : { type: 'project' }),
      })
    }
    const page = await openPlans(scene)
    await page.setViewportSize({ width: 1280, height: 800 })
    const table = page.getByRole('table', TABLE)
    const rows = table.locator('[data-row]')
    await waitUntil('all plans are there', async () => {
      return Number(await table.getAttribute('aria-rowcount')) >= 81
    })
    expect(await rows.count()).toBeLessThan(60)
    const inSight = () =>
      rows.evaluateAll(
        (all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
      )
    await expect.poll(inSight).toBeGreaterThanOrEqual(18)
    // Names of an ordinary length are shown whole.
    const first = rows.filter({ hasText: name })
    for (const cell of [first.getByText('Show the'), first.locator('td', { hasText: name })])
      expect(await cell.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true)
    await page.setViewportSize({ width: 1920, height: 1080 })
    await expect.poll(inSight).toBeGreaterThanOrEqual(25)
    await page.setViewportSize({ width: 1280, height: 800 })

    await table.getByRole('button', { name: 'Title' }).click()
    await table.getByRole('button', { name: 'Title' }).click()
    const heading = table.getByRole('columnheader', { name: 'Title' })
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending')
    await page.getByRole('searchbox').fill('Ridge')
    await expect.poll(() => rows.first().innerText()).toContain('Ridge 79')

    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'Owner' }).selectOption('You')
    await page.getByRole('combobox', { name: 'Account' }).selectOption(account.name)
    await page.getByText('1 of').waitFor()
    await rows.getByText('Ridge 07').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('combobox', { name: 'Group by' }).selectOption('month')
    await page.getByRole('checkbox', { name: 'Owner' }).click()
    await page.keyboard.press('Escape')
    const groups = table.getByRole('rowheader', { name: /^March 2031 40$/ })
    await groups.waitFor()
    const owners = table.getByRole('columnheader', { name: 'Owner' })
    await owners.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByLabel('Name of the view').fill('By month')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('link', { name: 'By month' }).waitFor()
    expect(await axeViolationsNow(page, 'the table with its controls')).toEqual([])
    await page.keyboard.press('Escape')
    // With something unsent the sign-out would ask.
    await waitUntil('the view is sent', async () => {
      const { [OUTBOX]: outbox } = await readAllStorage(page)
      return outbox?.includes('"state":"pending"') === false
    })
    await waitForOfflineReady(page)
    await page.goto(`${url}/success-plans`)
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('link', { name: 'By month' }).click()
    await groups.waitFor()
    await page.keyboard.press('Escape')

    await chooseSignOut(page)
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    expect(JSON.stringify(await readAllStorage(page))).not.toContain('By month')
    await fillSignIn(page, ada)
    await pickOrganisation(page)
    await page.getByRole('button', { name: 'Saved views' }).click()
    await page.getByRole('link', { name: 'By month' }).waitFor()
  },
)

test('a plan beside the list follows the arrow keys and gives the focus back', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { plan } = scene
  const page = await openPlans(scene)
  await resize(page, { width: 1280, height: 800 })
  const pane = page.getByRole('complementary', { name: /^Preview of/ })
  const opened = () => new URL(page.url()).searchParams.get('open')
  const focused = () =>
    page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['plan'])
  await planRow(page, plan).focus()
  await page.keyboard.press('Space')
  await pane.getByRole('heading', { name: plan.title, level: 2 }).waitFor()
  expect(await axeViolationsOf(page, 'a plan beside the list')).toEqual([])

  // The narrow windows of the check have neither table nor pane.
  await pane.getByRole('heading', { name: plan.title, level: 2 }).waitFor()
  await planRow(page, plan).focus()
  await page.keyboard.press('ArrowDown')
  const next = (await focused()) ?? ''
  expect(next).not.toBe(plan.id)
  await expect.poll(opened).toBe(next)
  await page.reload()
  await pane.getByRole('heading', { level: 2 }).first().waitFor()
  expect(opened()).toBe(next)

  await pane.getByRole('button', { name: 'Close the preview' }).focus()
  await page.keyboard.press('Escape')
  await pane.waitFor({ state: 'detached' })
  await expect.poll(focused).toBe(next)
  await expect.poll(opened).toBe(null)
  await page.keyboard.press('Enter')
  await waitUntil('the page is open', () => new URL(page.url()).pathname.endsWith(next))
})

longTest(
  'on a low screen all headings stick to its upper edge, and none lies on a row',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const page = await openPlans(scene)
    // A phone held sideways.
    await page.setViewportSize({ width: 800, height: 360 })
    const table = page.getByRole('table', TABLE)
    await table.getByRole('checkbox', { name: 'Select all' }).waitFor()
    const tops = await table
      .locator('thead :is(td, th)')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).top))
    expect(new Set(tops)).toEqual(new Set(['0px']))
  },
)
