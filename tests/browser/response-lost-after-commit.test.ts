// The server has committed, and its answer never arrives: the same key is sent again, and there is
// exactly one update in the end.
import { expect, test } from 'vitest'
import { card, openPlan, openPlans, post } from './app.ts'
import { keysOf } from './at-a-plan.ts'
import { setScene } from './scene.ts'
import { until } from './until.ts'

const UPDATES = /\/updates$/
const TEXT = 'The board has signed.'

test('the answer is lost twice: one update, and a repeat that the server knew', async () => {
  const scene = await setScene({ usedBefore: true })
  const { ada, network, plan } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  network.break({ method: 'POST', path: UPDATES }, { kind: 'answer-lost' }, 2)
  await post(page, TEXT)
  const sent = await until('an answer arrives', () => {
    const seen = network.seen('POST', UPDATES)
    return seen.at(-1)?.status === undefined ? null : seen
  })
  expect(sent.map(({ upstream }) => upstream)).toEqual([201, 201, 201])
  expect(sent.map(({ status }) => status)).toEqual([undefined, undefined, 201])
  expect(sent.map(({ replayed }) => replayed)).toEqual([false, true, true])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect(await ada.updatesSaying(plan, TEXT)).toHaveLength(1)

  // On the screen it is one card, which stops waiting.
  await until('the copy of the server has arrived', async () => {
    const shown = await card(page, TEXT).allInnerTexts()
    return shown.length === 1 && !/Saved|Sending|Sent|attention/.test(shown[0] ?? '')
  })
})

test('killed between the commit and its answer: the next start repeats the key', async () => {
  const scene = await setScene({ usedBefore: true })
  const { ada, network, plan } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  // Each answer until the kill: a browser may ask again by itself when a connection breaks.
  const mend = network.break({ method: 'POST', path: UPDATES }, { kind: 'answer-lost' })
  await post(page, TEXT)
  await until('the server has it', async () => {
    const there = await ada.updatesSaying(plan, TEXT)
    return there.length === 1
  })
  const browser = await scene.restartBrowser()
  mend()
  const again = await browser.open(`${scene.url}/success-plans/${plan.id}`)
  await card(again, TEXT).waitFor()
  const answered = await until('the repeat is answered', () =>
    network.seen('POST', UPDATES).find(({ status }) => status === 201),
  )
  expect(answered.replayed).toBe(true)
  expect(keysOf(network.seen('POST', UPDATES))).toBe(1)
  expect(await ada.updatesSaying(plan, TEXT)).toHaveLength(1)
})
