// The simulation in front of a plain server must detect planted bugs within 500 seeds; `npm run test:long`
// plants all of them.
import { expect, test } from 'vitest'
import { sampleOf } from '../../../sample.ts'
import { findFailingSeed } from '../find-failing-seed.ts'
import { plainMutants } from './plain-mutants.ts'
import { simulatePlain } from './plain-run.ts'

/** Bugs planted outside of a long run. */
const SAMPLE = 6

test.for(sampleOf(plainMutants, SAMPLE, 'plain mutants'))(
  'the simulation without keys detects: $name',
  { timeout: 240_000 },
  async (mutant) => {
    const { caught } = await findFailingSeed(simulatePlain, mutant, 500)
    expect(caught?.violation).toBeDefined()
  },
)
