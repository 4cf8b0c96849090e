// The simulation must detect each planted bug within 500 seeds.
import { expect, test } from 'vitest'
import { findFailingSeed } from './find-failing-seed.ts'
import { mutants } from './mutants.ts'
import { simulate } from './run.ts'

test.for(mutants)('the simulation detects: $name', { timeout: 120_000 }, async (mutant) => {
  const { caught } = await findFailingSeed(simulate, mutant, 500)
  expect(caught?.violation).toBeDefined()
})
