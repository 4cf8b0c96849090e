// A server answers a write with 2xx, and not with the record that was asked for.
import { expect, test } from 'vitest'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const draft = () => ({
  path: { id: '1' },
  body: { id: crypto.randomUUID(), body: 'They signed.' },
})

test.for<[string, Partial<PlainOptions>]>([
  ['an id of its own', {}],
  ['204', { writes: 'empty' }],
  ['a message', { writes: 'message' }],
])('with %s: it is not sent again right away, and not for ever', async ([, options]) => {
  const stage = new PlainFixture(options)
  // The device's clock, which the test advances.
  let now = Date.now()
  const real = stage.ports.bind(stage)
  stage.ports = () => ({ ...real(), clock: { now: () => now } })
  const tab = await stage.readTab()
  const sent = () => stage.plain.seen('POST', /updates$/).length
  const only = async () => (await tab.outbox.all())[0]
  await tab.enqueue('postPlanUpdate', draft())
  const begun = now
  const attempts: number[] = []
  for (let count = 1; count <= 8; count += 1) {
    await waitFor(async () => expect(await only()).toMatchObject({ odd_answers: count }))
    attempts.push(now - begun)
    // Whatever wakes the engine sends nothing before its time.
    for (let wakes = 0; wakes < 5; wakes += 1) {
      tab.wake()
      await tab.pullScheduler.pullAgain()
    }
    expect(sent()).toBe(count)
    now = Math.max(now, (await only())?.not_before ?? 0)
    tab.wake()
  }
  expect(attempts.filter((at) => at < 60_000).length).toBeLessThanOrEqual(6)
  await waitFor(async () => expect(await only()).toMatchObject({ state: 'attention' }))
  now += 86_400_000
  tab.wake()
  await tab.pullScheduler.pullAgain()
  expect(sent()).toBe(8)
})
