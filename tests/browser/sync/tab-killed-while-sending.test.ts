// The process of a tab dies while its update is in flight: another tab, or the next one, sends it again
// under the same key.
import { expect, test } from 'vitest'
import { card } from '../fixtures/app.ts'
import {
  openSecondTab,
  expectSentOnce,
  openPlanFixture,
  countKeys,
  postFrom,
  UPDATES_PATH,
} from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const TEXT = 'The last words of a tab.'

test('another tab retries at once when the sending tab is killed, and the update is stored once', async () => {
  const scene = await openPlanFixture()
  const { browser, network } = scene
  const tabs = [scene.page, await openSecondTab(scene)] as const
  const release = network.hold({ method: 'POST', path: UPDATES_PATH })
  const [page, other] = await postFrom(tabs, TEXT)
  await network.waitForRequests('POST', UPDATES_PATH)
  await card(other, TEXT).waitFor()
  await browser.crash(page)
  await network.waitForRequests('POST', UPDATES_PATH, 2)
  // Both requests with one key reach the server at the same time.
  release()
  await expectSentOnce(scene, other, TEXT)
  await waitUntil('both are answered', () =>
    network.requests('POST', UPDATES_PATH).every(({ upstream }) => upstream === 201),
  )
  const sent = network.requests('POST', UPDATES_PATH)
  expect(countKeys(sent)).toBe(1)
  expect(sent.filter(({ replayed }) => !replayed)).toHaveLength(1)
  await expectSentOnce(scene, other, TEXT)
})
