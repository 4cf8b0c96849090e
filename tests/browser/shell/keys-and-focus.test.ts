// Work without a mouse: keys that lead through places and lists, and the focus on the way back.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cardIn, openPlan, openPlans, planRow, post, SAVED } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const focusedHref = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('href') ?? null)
const focusedRow = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('main [data-row]')]
    return rows.findIndex((row) => row.contains(document.activeElement))
  })
/** Presses keys one after the other, on the page; a slow screen does not lengthen the time between them. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

test('going back returns the focus to the link that was followed, also at the first entry', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  await openPlans(scene)
  const { browser, plan, url } = scene
  const link = `/success-plans/${plan.id}`
  for (const [path, href] of [
    ['/success-plans', link],
    ['/accounts', `/accounts/${scene.account.id}`],
    ['/', `/accounts/${scene.account.id}`],
  ] as const) {
    // A new tab: its first entry is that of the start.
    const page = await browser.open(url + path)
    const followed = page.locator(`main a[href="${href}"]:not([inert] *)`).first()
    await followed.focus()
    await page.keyboard.press('Enter')
    await waitUntil('the record is open', () => page.url() === url + href)
    await heading(page, href === link ? plan.title : scene.account.name).waitFor()
    await page.goBack()
    await waitUntil(
      `the link has the focus at ${path}`,
      async () => (await focusedHref(page)) === href,
    )
    // Forwards no link was followed.
    await page.goForward()
    await waitUntil('the heading has the focus', () =>
      page.evaluate(() => document.activeElement?.localName === 'h1'),
    )
    await page.close()
  }
})

longTest(
  'Skip to content leads past the header, also after one of its links was followed',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    // Its entry is the first of the history.
    const page = await scene.browser.open(`${scene.url}/`)
    await heading(page, /^What needs your attention/).waitFor()
    const main = page.getByRole('navigation', { name: 'Main' })
    await main.getByRole('link', { name: 'Success plans', exact: true }).press('Enter')
    await planRow(page, scene.plan).waitFor()
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
    const focused = (selector: string) =>
      page.evaluate((one) => document.activeElement?.matches(one), selector)
    await waitUntil('the content has the focus', () => focused('main'))
    await page.keyboard.press('Tab')
    expect(await focused('main *')).toBe(true)
    expect(new URL(page.url()).hash).toBe('')
  },
)

test('single keys lead to places, through a list, to its search and to what creates and edits', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const page = await openPlans(scene)
  await planRow(page, scene.plan).waitFor()
  await press(page, 'j')
  await waitUntil('the first row has the focus', async () => (await focusedRow(page)) === 0)
  await press(page, 'j', 'ArrowDown', 'k')
  await waitUntil('the second row has the focus', async () => (await focusedRow(page)) === 1)
  const href = await focusedHref(page)
  await press(page, 'x')
  const second = page.locator('main [data-row]').nth(1)
  await second.getByRole('checkbox', { checked: true }).waitFor()
  await press(page, 'x')
  await second.getByRole('checkbox', { checked: false }).waitFor()
  await press(page, 'e')
  await heading(page, 'Edit plan').waitFor()
  expect(new URL(page.url()).pathname).toBe(href)
  await page.goBack()
  await planRow(page, scene.plan).waitFor()

  // In a field they are text.
  await press(page, '/')
  await press(page, 'g', 'a', 'c')
  expect(await page.getByRole('searchbox').inputValue()).toBe('gac')
  await page.getByRole('searchbox').fill('')
  await heading(page, 'Success plans').focus()
  await press(page, 'g', 'a')
  await heading(page, 'Accounts').waitFor()
  await press(page, 'c')
  await heading(page, 'New account').waitFor()
  await page.goBack()
  await heading(page, 'Accounts').waitFor()

  // Behind a dialog they do nothing.
  await press(page, '?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await keys.getByText('Next row').waitFor()
  await press(page, 'g', 'p', 'Escape')
  await keys.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/accounts')

  await page.goto(`${scene.url}/settings/profile`)
  await page.getByRole('switch', { name: 'Shortcuts of one key' }).click()
  await heading(page, 'Profile').focus()
  await press(page, 'g', 'p', '?')
  // What is pressed later works, and what was pressed before has done nothing.
  await press(page, 'Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('option', { name: 'View accounts' }).waitFor()
  expect(await palette.locator('[aria-keyshortcuts]').count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/settings/profile')
})

longTest(
  'the list of shortcuts opens at its first ones, and Space does not turn the keys off',
  async () => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const page = await openPlans(scene)
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await waitUntil('the focus is in the list', () =>
      list.evaluate((dialog) => dialog.contains(document.activeElement)),
    )
    await page.keyboard.press('Space')
    expect(await list.getByRole('switch').isChecked()).toBe(true)
    expect(await list.getByRole('heading', { name: 'Everywhere' }).isVisible()).toBe(true)
  },
)

longTest('a card that is discarded with a key leaves the focus in what surrounds it', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const page = await openPlans(scene)
  await openPlan(page, scene.plan)
  await scene.browser.context.setOffline(true)
  await post(page, 'Not to be sent.')
  const card = cardIn(page, 'Not to be sent.', SAVED)
  await card.getByRole('button', { name: 'Edit' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Enter')
  const focused = () => page.evaluate(() => document.activeElement?.localName)
  // The card stays, without the form that had the focus.
  await waitUntil('the card has the focus', async () => (await focused()) === 'article')
  await card.getByRole('button', { name: 'Discard' }).focus()
  await page.keyboard.press('Enter')
  await card.waitFor({ state: 'detached' })
  await waitUntil('the content has the focus', async () => (await focused()) === 'main')
})
