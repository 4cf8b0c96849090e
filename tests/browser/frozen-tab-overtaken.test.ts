// A tab freezes while it sends, and keeps the lock: another one goes on in its place after a minute,
// and nothing is sent twice, also when the frozen tab comes back.
import { expect, test } from 'vitest'
import { card, cardIn, post, SAVED } from './app.ts'
import {
  anotherTab,
  areSentOnce,
  atAPlan,
  freezeAtRest,
  keysOf,
  postFrom,
  UPDATES,
} from './at-a-plan.ts'
import { until } from './until.ts'

const FROZEN = 'Said just before the freeze.'
const AWAKE = 'Said in the tab that is awake.'
const MINUTE = 60_000

test('frozen with the lock and an answer on its way: overtaken, each update once', async () => {
  const scene = await atAPlan()
  const { browser, network } = scene
  await browser.context.clock.install()
  const tabs = [scene.page, await anotherTab(scene)] as const

  const release = network.hold({ method: 'POST', path: UPDATES })
  const [page, awake] = await postFrom(tabs, FROZEN)
  const [first] = await network.sees('POST', UPDATES)
  await cardIn(awake, FROZEN, 'Sending').waitFor()
  const thaw = await freezeAtRest(scene, page)
  release()
  await until('the server has it', () => first?.upstream === 201)

  await post(awake, AWAKE)
  await cardIn(awake, AWAKE, SAVED).waitFor()
  expect(network.seen('POST', UPDATES)).toHaveLength(1)
  // The frozen tab takes this leap when it thaws.
  const leap = browser.context.clock.fastForward(MINUTE + 1_000)
  await areSentOnce(scene, awake, FROZEN, AWAKE)
  expect(network.seen('POST', UPDATES).map(({ replayed }) => replayed)).toEqual([
    false,
    true,
    false,
  ])

  await thaw()
  await leap
  await areSentOnce(scene, page, FROZEN, AWAKE)
  expect(await card(page, FROZEN).count()).toBe(1)
  await post(page, 'Thawed.')
  await areSentOnce(scene, page, FROZEN, AWAKE, 'Thawed.')
  expect(keysOf(network.seen('POST', UPDATES))).toBe(3)
})
