// Networks duplicate requests, and deliver them after the client has given up: the update still exists
// once.
import { expect, test } from 'vitest'
import { card, post } from '../fixtures/app.ts'
import {
  expectSentOnce,
  openPlanFixture,
  countKeys,
  UPDATES_PATH,
} from '../fixtures/open-plan-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const TEXT = 'Signed, sealed, delivered.'
const LATER = 'The next update.'

test('a request that the network delivers twice creates one update', async () => {
  const scene = await openPlanFixture()
  const { network, page } = scene
  const { promise: again, resolve: deliver } = Promise.withResolvers<void>()
  network.injectFault({ method: 'POST', path: UPDATES_PATH }, { kind: 'doubled', again }, 1)
  await post(page, TEXT)
  await expectSentOnce(scene, page, TEXT)
  await post(page, LATER)
  await expectSentOnce(scene, page, LATER)
  deliver()
  const repeat = await waitUntil('the repeat is answered', () => {
    const seen = network.requests('POST', UPDATES_PATH)[2]
    return seen?.upstream === undefined ? null : seen
  })
  expect([repeat.upstream, repeat.replayed]).toEqual([201, true])
  await expectSentOnce(scene, page, TEXT, LATER)
})

longTest('a request that arrives after its retry creates no second update', async () => {
  const scene = await openPlanFixture()
  const { network, page } = scene
  const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>()
  network.injectFault({ method: 'POST', path: UPDATES_PATH }, { kind: 'late', arrives }, 1)
  await post(page, TEXT)
  await expectSentOnce(scene, page, TEXT)
  arrive()
  await waitUntil(
    'the late request is answered',
    () => network.requests('POST', UPDATES_PATH)[0]?.upstream,
  )
  const sent = network.requests('POST', UPDATES_PATH)
  expect(sent.map(({ status }) => status)).toEqual([undefined, 201])
  expect(sent.map(({ replayed }) => replayed)).toEqual([true, false])
  expect(countKeys(sent)).toBe(1)
  await expectSentOnce(scene, page, TEXT)
  expect(await card(page, TEXT).count()).toBe(1)
})
