// "Post update" is pressed again before the first press was kept: it is one update.
import { expect, test } from 'vitest'
import { SAVED, card, cardIn, composer, openPlan, openPlans } from './app.ts'
import { setScene } from './scene.ts'
import { until } from './until.ts'

test('pressed twice before it is kept: one update, here and on the server', async () => {
  const scene = await setScene({ usedBefore: true })
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

  await scene.network.comeUp()
  await until('the server has it', async () => {
    const there = await ada.updatesSaying(plan, text)
    return there.length > 0
  })
  await page.getByText(SAVED).first().waitFor({ state: 'detached' })
  expect(await card(page, text).count()).toBe(1)
  expect(await ada.updatesSaying(plan, text)).toHaveLength(1)
})
