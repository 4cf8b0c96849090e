// A window of 1920 px: what belongs together stands side by side.
import { expect, test } from 'vitest'
import { composer } from '../fixtures/app.ts'
import { axeViolationsNow } from '../fixtures/axe-violations.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'

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
