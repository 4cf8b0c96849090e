// A tab freezes while it sends and holds the lock: another one takes over after a minute, and nothing is
// sent twice, also when the frozen tab thaws.
import { expect, test } from 'vitest'
import { card, cardIn, composer, post, SAVED } from '../fixtures/app.ts'
import {
  openSecondTab,
  expectSentOnce,
  openPlanFixture,
  freezeWithoutLocks,
  countKeys,
  postFrom,
  UPDATES_PATH,
} from '../fixtures/open-plan-fixture.ts'
import { waitLonger } from '../fixtures/wait-longer.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const FROZEN = 'Posted just before the freeze.'
const AWAKE = 'Posted in the tab that is awake.'
const MINUTE = 60_000
/** A clock is paused at a time to come. Milliseconds. */
const SOON = 10_000

test('another tab takes over from a frozen lock holder and sends each update once', async () => {
  const scene = await openPlanFixture()
  const { browser, network } = scene
  await browser.context.clock.install()
  await waitLonger(browser.context)
  await scene.page.reload()
  await composer(scene.page).waitFor()
  const tabs = [scene.page, await openSecondTab(scene)] as const

  const release = network.hold({ method: 'POST', path: UPDATES_PATH })
  const [page, awake] = await postFrom(tabs, FROZEN)
  const [first] = await network.waitForRequests('POST', UPDATES_PATH)
  await cardIn(awake, FROZEN, 'Sending').waitFor()
  // However slow the machine is, the wait for the lock ends with the leap.
  await browser.context.clock.pauseAt(Date.now() + SOON)
  const thaw = await freezeWithoutLocks(scene, page)
  release()
  await waitUntil('the server has it', () => first?.upstream === 201)

  await post(awake, AWAKE)
  await cardIn(awake, AWAKE, SAVED).waitFor()
  expect(network.requests('POST', UPDATES_PATH)).toHaveLength(1)
  // The frozen tab's clock does the same when it thaws.
  const leap = browser.context.clock.fastForward(MINUTE + 1_000)
  const running = browser.context.clock.resume()
  await expectSentOnce(scene, awake, FROZEN, AWAKE)
  expect(network.requests('POST', UPDATES_PATH).map(({ replayed }) => replayed)).toEqual([
    false,
    true,
    false,
  ])

  await thaw()
  await Promise.all([leap, running])
  await expectSentOnce(scene, page, FROZEN, AWAKE)
  expect(await card(page, FROZEN).count()).toBe(1)
  await post(page, 'Thawed.')
  await expectSentOnce(scene, page, FROZEN, AWAKE, 'Thawed.')
  expect(countKeys(network.requests('POST', UPDATES_PATH))).toBe(3)
})
