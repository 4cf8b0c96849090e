// "Post update" is pressed again before the first press was saved: it is one update.
import { expect, test } from 'vitest'
import { SAVED, card, cardIn, composer, openPlan, openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

test('pressing Post twice creates one update', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  await scene.network.goDown()
  const text = 'The pilot has begun.'
  await composer(page).fill(text)
  await page.getByRole('button', { name: 'Post update' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await cardIn(page, text, SAVED).waitFor()
  expect(await composer(page).inputValue()).toBe('')

  await scene.network.goUp()
  await waitUntil('the server has it', async () => {
    const stored = await ada.updatesWithText(plan, text)
    return stored.length > 0
  })
  await page.getByText(SAVED).first().waitFor({ state: 'detached' })
  expect(await card(page, text).count()).toBe(1)
  expect(await ada.updatesWithText(plan, text)).toHaveLength(1)
})
