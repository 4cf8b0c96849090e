// In a wide window what belongs together does not stand side by side, or there is less room for titles than in a
// narrower one.
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { composer, openPlans } from '../fixtures/app.ts'
import { axeViolationsNow } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { resize } from '../fixtures/frames.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'
import { longTest } from '../../long-test.ts'

test('a plan shows updates, work and facts at once, and its tabs again in a narrower window', async () => {
  const { page } = await openPlanFixture()
  const tabs = page.getByRole('navigation', { name: 'Parts of this plan' })
  const work = page.getByRole('region', { name: 'Work' })
  await tabs.waitFor()
  await page.setViewportSize({ width: 1920, height: 1080 })
  await work.getByRole('button').first().waitFor()
  await tabs.waitFor({ state: 'detached' })
  await page.getByRole('complementary', { name: 'About this plan' }).waitFor()
  expect(await axeViolationsNow(page, 'a plan at 1920 px')).toEqual([])

  await composer(page).fill('Half of a thought')
  await page.setViewportSize({ width: 1280, height: 800 })
  await tabs.waitFor()
  await work.waitFor({ state: 'detached' })
  expect(await composer(page).inputValue()).toBe('Half of a thought')
})

longTest('the first column of a table has room for a title in any window', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan, url } = scene
  const body = { title: 'Moor the boats', success_plan_id: plan.id }
  await ada.call('POST', '/api/v1/initiatives', body)
  const page = await openPlans(scene)
  const narrow: string[] = []
  for (const path of ['/success-plans', '/accounts', '/initiatives']) {
    await page.goto(url + path)
    const title = page.locator('main tbody tr:has(a) > *:has(a)').first()
    for (const width of [768, 1024, 1100, 1280, 1366, 1440, 1536, 1920]) {
      await resize(page, { width, height: 800 })
      await title.waitFor()
      const room = (await title.boundingBox())?.width ?? 0
      if (room < 220) narrow.push(`${path} at ${width} px: ${room} px`)
    }
  }
  expect(narrow).toEqual([])
})

longTest(
  'the age of what is shown stands in the column of the review, and apart from the billing',
  async () => {
    const { page, url } = await openPlanFixture()
    await page.setViewportSize({ width: 1280, height: 800 })
    const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { x: 0, y: 0, height: 0 }
    const age = page
      .getByRole('main')
      .getByText(/Up to date/)
      .first()
    await page.goto(`${url}/success-plans?review`)
    const lead = page.getByText(/^Go through the plans/)
    await lead.waitFor()
    await age.waitFor()
    expect((await boxOf(age)).x).toBeGreaterThanOrEqual((await boxOf(lead)).x)
    await page.goto(`${url}/settings/organisation/billing`)
    const compare = page.getByRole('link', { name: 'Compare plans' })
    const summary = page.locator('section').filter({ has: compare })
    await summary.waitFor()
    const shown = await boxOf(age)
    expect((await boxOf(summary)).y - shown.y - shown.height).toBeGreaterThanOrEqual(12)
  },
)
