// The simulation is worth what it catches: each planted bug must be found within 500 seeds.
import { expect, test } from 'vitest'
import { findFailingSeed } from './simulation/hunt.ts'
import { mutants } from './simulation/mutants.ts'

test.for(mutants)('the simulation detects: $name', { timeout: 120_000 }, async (mutant) => {
  const { caught } = await findFailingSeed(mutant, 500)
  expect(caught?.violation).toBeDefined()
})
