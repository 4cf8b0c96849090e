// The server has committed, and its answer never arrives: the same key is sent again, and there is
// exactly one update.
import { expect, test } from 'vitest'
import { card, openPlan, openPlans, post } from '../fixtures/app.ts'
import { countKeys } from '../fixtures/open-plan-fixture.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const UPDATES = /\/updates$/
const TEXT = 'The board has signed.'

test('an update whose response is lost twice is stored once', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, network, plan } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  network.injectFault({ method: 'POST', path: UPDATES }, { kind: 'answer-lost' }, 2)
  await post(page, TEXT)
  const sent = await waitUntil('an answer arrives', () => {
    const seen = network.requests('POST', UPDATES)
    return seen.at(-1)?.status === undefined ? null : seen
  })
  expect(sent.map(({ upstream }) => upstream)).toEqual([201, 201, 201])
  expect(sent.map(({ status }) => status)).toEqual([undefined, undefined, 201])
  expect(sent.map(({ replayed }) => replayed)).toEqual([false, true, true])
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect(await ada.updatesWithText(plan, TEXT)).toHaveLength(1)

  // The screen shows one card, whose pending mark disappears.
  await waitUntil('the record has been pulled', async () => {
    const shown = await card(page, TEXT).allInnerTexts()
    return shown.length === 1 && !/Saved|Sending|Sent|attention/.test(shown[0] ?? '')
  })
})

longTest('a retry after a kill uses the same key', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, network, plan } = scene
  const page = await openPlans(scene)
  await openPlan(page, plan)
  // Each answer until the kill, because a browser may retry by itself when a connection breaks.
  const repair = network.injectFault({ method: 'POST', path: UPDATES }, { kind: 'answer-lost' })
  await post(page, TEXT)
  await waitUntil('the server has it', async () => {
    const stored = await ada.updatesWithText(plan, TEXT)
    return stored.length === 1
  })
  const browser = await scene.restartBrowser()
  repair()
  const restarted = await browser.open(`${scene.url}/success-plans/${plan.id}`)
  await card(restarted, TEXT).waitFor()
  const answered = await waitUntil('the repeat is answered', () =>
    network.requests('POST', UPDATES).find(({ status }) => status === 201),
  )
  expect(answered.replayed).toBe(true)
  expect(countKeys(network.requests('POST', UPDATES))).toBe(1)
  expect(await ada.updatesWithText(plan, TEXT)).toHaveLength(1)
})
