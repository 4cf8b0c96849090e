// Networks repeat requests, and deliver them when nobody waits any more: there is one update all the
// same.
import { expect, test } from 'vitest'
import { card, post } from './app.ts'
import { areSentOnce, atAPlan, keysOf, UPDATES } from './at-a-plan.ts'
import { until } from './until.ts'

const TEXT = 'Signed, sealed, delivered.'
const LATER = 'And what was said after it.'

test('a request is delivered twice, the second time after the next one: one update each', async () => {
  const scene = await atAPlan()
  const { network, page } = scene
  const { promise: again, resolve: deliver } = Promise.withResolvers<void>()
  network.break({ method: 'POST', path: UPDATES }, { kind: 'doubled', again }, 1)
  await post(page, TEXT)
  await areSentOnce(scene, page, TEXT)
  await post(page, LATER)
  await areSentOnce(scene, page, LATER)
  deliver()
  const repeat = await until('the repeat is answered', () => {
    const seen = network.seen('POST', UPDATES)[2]
    return seen?.upstream === undefined ? null : seen
  })
  expect([repeat.upstream, repeat.replayed]).toEqual([201, true])
  await areSentOnce(scene, page, TEXT, LATER)
})

test('a request comes too late, after its repeat was answered: one update', async () => {
  const scene = await atAPlan()
  const { network, page } = scene
  const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>()
  network.break({ method: 'POST', path: UPDATES }, { kind: 'late', arrives }, 1)
  await post(page, TEXT)
  await areSentOnce(scene, page, TEXT)
  arrive()
  await until('the late one is answered', () => network.seen('POST', UPDATES)[0]?.upstream)
  const sent = network.seen('POST', UPDATES)
  expect(sent.map(({ status }) => status)).toEqual([undefined, 201])
  expect(sent.map(({ replayed }) => replayed)).toEqual([true, false])
  expect(keysOf(sent)).toBe(1)
  await areSentOnce(scene, page, TEXT)
  expect(await card(page, TEXT).count()).toBe(1)
})
