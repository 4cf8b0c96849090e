// The hunt for planted bugs.
import { simulate, type Mutant, type Outcome } from './run.ts'

export interface SeedSearch {
  mutant: string
  /** The first seed that catches it; undefined when it lives. */
  caught: Outcome | undefined
}

/** Looks for a seed that catches the mutant. */
export async function findFailingSeed(mutant: Mutant, seeds: number): Promise<SeedSearch> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const outcome = await simulate(seed, false, mutant)
    if (outcome.violation) return { mutant: mutant.name, caught: outcome }
  }
  return { mutant: mutant.name, caught: undefined }
}
