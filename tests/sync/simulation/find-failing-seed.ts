// Searches for a seed that detects a planted bug.
import type { Outcome } from './run.ts'

export interface SeedSearch {
  mutant: string
  /** The first seed that detects it; undefined when none does. */
  caught: Outcome | undefined
}

/** Runs seeds of a simulation until one detects the mutant. */
export async function findFailingSeed<M extends { name: string }>(
  simulate: (seed: number, traced: boolean, mutant: M) => Promise<Outcome>,
  mutant: M,
  seeds: number,
): Promise<SeedSearch> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const outcome = await simulate(seed, false, mutant)
    if (outcome.violation) return { mutant: mutant.name, caught: outcome }
  }
  return { mutant: mutant.name, caught: undefined }
}
