// Searches for a seed that detects a planted bug.
import { simulate, type Mutant, type Outcome } from './run.ts'

export interface SeedSearch {
  mutant: string
  /** The first seed that detects it; undefined when none does. */
  caught: Outcome | undefined
}

/** Runs seeds until one detects the mutant. */
export async function findFailingSeed(mutant: Mutant, seeds: number): Promise<SeedSearch> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const outcome = await simulate(seed, false, mutant)
    if (outcome.violation) return { mutant: mutant.name, caught: outcome }
  }
  return { mutant: mutant.name, caught: undefined }
}
