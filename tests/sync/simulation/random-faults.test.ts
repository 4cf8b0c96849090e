// Seeded runs with random faults; `npm run test:long` makes 5,000. To replay one:
// `npm run test:faults -- --seeds 1 --from <seed>`.
import { expect, test } from 'vitest'
import { simulate } from './run.ts'

const CHUNK = 100
const CHUNKS = 3

for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
  const from = chunk * CHUNK + 1
  test(`loses, duplicates, misorders or misattributes nothing: seeds ${from} to ${from + CHUNK - 1}`, async () => {
    for (let seed = from; seed < from + CHUNK; seed += 1) {
      const { violation } = await simulate(seed, false)
      if (!violation) continue
      const { trace } = await simulate(seed, true)
      const traceEnd = trace.slice(-60).join('\n')
      expect.unreachable(`Seed ${seed}: ${violation.invariant}, ${violation.why}\n${traceEnd}`)
    }
  }, 240_000)
}

test('replays a seed identically', async () => {
  const [once, again] = [await simulate(7, true), await simulate(7, true)]
  expect(again).toEqual(once)
  expect(once.trace.length).toBeGreaterThan(50)
})
