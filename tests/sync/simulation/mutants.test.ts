// The simulation must detect planted bugs within 500 seeds; `npm run test:long` plants all of them.
import { expect, test } from 'vitest'
import { sampleOf } from '../../sample.ts'
import { findFailingSeed } from './find-failing-seed.ts'
import { mutants } from './mutants.ts'
import { simulate } from './run.ts'

/** Bugs planted outside of a long run. */
const SAMPLE = 16

test.for(sampleOf(mutants, SAMPLE, 'mutants'))(
  'the simulation detects: $name',
  { timeout: 120_000 },
  async (mutant) => {
    const { caught } = await findFailingSeed(simulate, mutant, 500)
    expect(caught?.violation).toBeDefined()
  },
)
