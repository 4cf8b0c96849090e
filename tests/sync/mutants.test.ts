// The simulation is worth what it catches: each planted bug must be found within 500 seeds.
import { expect, test } from 'vitest'
import { hunt } from './simulation/hunt.ts'
import { mutants } from './simulation/mutants.ts'

test.for(mutants)('a bug does not live: $name', { timeout: 120_000 }, async (mutant) => {
  const { caught } = await hunt(mutant, 500)
  expect(caught?.violation).toBeDefined()
})
