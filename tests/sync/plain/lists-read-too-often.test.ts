// A server without `changes` is read as a whole every minute, or not again for hours.
import { expect, test } from 'vitest'
import { offline, waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const MINUTE_MS = 60_000

test('whole readings come at the start, on reconnection, by hand, and every 15 minutes', async () => {
  const stage = new PlainFixture()
  let now = Date.now()
  const real = stage.ports.bind(stage)
  stage.ports = () => ({ ...real(), clock: { now: () => now } })
  const tab = await stage.readTab()
  const readings = () => stage.plain.seen('GET', /\/accounts$/).length
  const wakeAndCount = async () => {
    tab.wake()
    await tab.pullScheduler.pullIfDue()
    return readings()
  }
  const first = readings()
  now += 14 * MINUTE_MS
  expect(await wakeAndCount()).toBe(first)
  now += MINUTE_MS
  expect(await wakeAndCount()).toBe(first + 1)
  await tab.pullScheduler.pull()
  expect(readings()).toBe(first + 2)
  stage.network = offline
  await tab.pullScheduler.pull()
  expect(tab.state.connection.get()).toBe('offline')
  stage.network = stage.answer
  tab.wake()
  await waitFor(() => expect(readings()).toBe(first + 3))
})
