// Seeded runs with random faults in front of a server that has only the specification. To replay one:
// `npm run test:faults -- --model plain --seeds 1 --from <seed>`.
import { expect, test } from 'vitest'
import { simulatePlain } from './plain-run.ts'

const CHUNK = 25
const CHUNKS = 2

async function expectNoViolation(seed: number): Promise<void> {
  const { violation } = await simulatePlain(seed, false)
  if (!violation) return
  const { trace } = await simulatePlain(seed, true)
  const traceEnd = trace.slice(-60).join('\n')
  expect.unreachable(`Seed ${seed}: ${violation.invariant}, ${violation.why}\n${traceEnd}`)
}

for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
  const from = chunk * CHUNK + 1
  test(`loses and duplicates nothing without keys: seeds ${from} to ${from + CHUNK - 1}`, async () => {
    for (let seed = from; seed < from + CHUNK; seed += 1) await expectNoViolation(seed)
  }, 120_000)
}

test('replays a seed identically', async () => {
  const [once, again] = [await simulatePlain(7, true), await simulatePlain(7, true)]
  expect(again).toEqual(once)
  expect(once.trace.length).toBeGreaterThan(50)
})
