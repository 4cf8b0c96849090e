// The simulation in front of a plain server must detect each planted bug within 500 seeds.
import { expect, test } from 'vitest'
import { findFailingSeed } from '../find-failing-seed.ts'
import { plainMutants } from './plain-mutants.ts'
import { simulatePlain } from './plain-run.ts'

test.for(plainMutants)(
  'the simulation without keys detects: $name',
  { timeout: 240_000 },
  async (mutant) => {
    const { caught } = await findFailingSeed(simulatePlain, mutant, 500)
    expect(caught?.violation).toBeDefined()
  },
)
