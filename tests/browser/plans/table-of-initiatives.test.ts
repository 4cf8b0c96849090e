// The table of initiatives cannot be sorted or filtered, or the actions of one are out of reach beside it or
// on a narrow window.
import { expect, test } from 'vitest'
import { openPlans } from '../fixtures/app.ts'
import { axeViolationsNow } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { resize } from '../fixtures/frames.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

/** Three initiatives of the plan; the one that ends first has an action. */
async function withInitiatives() {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan, url } = scene
  for (const [title, end_date] of [
    ['Moor the boats', '2031-03-01'],
    ['Anchor the buoys', '2031-02-01'],
    ['Paint the hull', null],
  ]) {
    const body = { title, end_date, success_plan_id: plan.id }
    const { data } = (await ada.call('POST', '/api/v1/initiatives', body)) as {
      data: { id: string }
    }
    if (end_date === '2031-02-01')
      await ada.call('POST', '/api/v1/actions', { title: 'Buy a chain', initiative_id: data.id })
  }
  const page = await openPlans(scene)
  await page.goto(`${url}/initiatives`)
  const table = page.getByRole('table', { name: 'Initiatives' })
  const titles = () => page.locator('a[data-initiative]').allInnerTexts()
  await expect.poll(titles).toEqual(['Anchor the buoys', 'Moor the boats', 'Paint the hull'])
  return { ...scene, page, table, titles }
}

const BUOYS = { name: 'Anchor the buoys' }
const BOATS = { name: 'Moor the boats' }

test('initiatives sort by their headings, and the actions of one are ticked beside the table', async () => {
  const { page, table, titles } = await withInitiatives()
  await page.setViewportSize({ width: 1280, height: 800 })
  await table.getByRole('button', { name: 'Title' }).click()
  await table.getByRole('button', { name: 'Title' }).click()
  await expect.poll(titles).toEqual(['Paint the hull', 'Moor the boats', 'Anchor the buoys'])
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Paused')
  await page.getByText('No initiatives match').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()

  await table.getByRole('link', BUOYS).focus()
  await page.keyboard.press('Space')
  const pane = page.getByRole('complementary', { name: 'Preview of Anchor the buoys' })
  await pane.getByRole('checkbox', { name: 'Done: Buy a chain' }).click()
  await table.getByRole('row', BUOYS).getByText('1 of 1').waitFor()
  expect(await axeViolationsNow(page, 'an initiative beside the table')).toEqual([])
  await table.getByRole('link', BUOYS).focus()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('complementary', { name: 'Preview of Moor the boats' }).waitFor()
  const boats = await table.getByRole('link', BOATS).getAttribute('data-initiative')
  await expect.poll(() => new URL(page.url()).searchParams.get('open')).toBe(boats)
  await page.reload()
  await page.getByRole('complementary', { name: 'Preview of Moor the boats' }).waitFor()
  await page.getByRole('button', { name: 'Close the preview' }).press('Escape')
  await waitUntil('the row has the focus again', () =>
    table.getByRole('link', BOATS).evaluate((link) => link === document.activeElement),
  )
  await expect.poll(() => new URL(page.url()).searchParams.get('open')).toBe(null)
})

longTest(
  'the form of an action stays open with its text when the window becomes narrower',
  async () => {
    const { page, table } = await withInitiatives()
    await resize(page, { width: 1280, height: 800 })
    await table.getByRole('link', BUOYS).press('Space')
    await page.getByRole('button', { name: 'Edit “Buy a chain”' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Buy a long chain')
    await page.setViewportSize({ width: 768, height: 1024 })
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { ...BUOYS, level: 1 }).waitFor()
    await page.getByRole('checkbox', { name: 'Done: Buy a long chain' }).waitFor()
  },
)

longTest(
  'in a narrow window an initiative is a screen of its own, and leads back to the list',
  async () => {
    const { page } = await withInitiatives()
    for (const width of [768, 360]) {
      await page.setViewportSize({ width, height: 780 })
      await page.getByRole('searchbox').fill('buoys')
      await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('buoys')
      await page.getByRole('link', BUOYS).click()
      await page.getByRole('heading', { ...BUOYS, level: 1 }).waitFor()
      await page.getByRole('checkbox', { name: 'Done: Buy a chain' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Initiatives', level: 1 }).waitFor()
      await page.getByRole('link', BUOYS).click()
      await page.getByRole('main').getByRole('link', { name: 'Initiatives' }).click()
      await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('buoys')
    }
  },
)

longTest(
  'the palette leads to an action itself, and keys to the form of an initiative, in any width',
  async () => {
    const { page } = await withInitiatives()
    const found = page.getByRole('option', { name: /^Buy a chain/ })
    const action = page.locator('[data-action] button').filter({ hasText: 'Buy a chain' })
    const form = page.getByRole('dialog', { name: 'Edit initiative' })
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(new URL('/accounts', page.url()).href)
      await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: /^Search the organisation/ }).fill('Buy a chain')
      await found.click()
      await waitUntil('the action has the focus', () =>
        action.evaluate((button) => button === document.activeElement),
      )
      expect(new URL(page.url()).pathname).toBe('/initiatives')

      await page.goto(new URL('/initiatives', page.url()).href)
      await page.getByRole('link', BOATS).focus()
      await page.keyboard.press('e')
      await form.waitFor()
      await form.getByRole('button', { name: 'Cancel' }).click()
      await form.waitFor({ state: 'detached' })
      expect(new URL(page.url()).searchParams.has('edit')).toBe(false)
    }
  },
)
