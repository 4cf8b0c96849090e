// Searches for a seed that detects a planted bug.
import { DETECTING_SEEDS } from './detecting-seeds.ts'
import type { Outcome } from './run.ts'

export interface SeedSearch {
  mutant: string
  /** A seed that detects it; undefined when none does. */
  caught: Outcome | undefined
}

/** Runs seeds of a simulation until one detects the mutant: the one noted for it, then all from 1. */
export async function findFailingSeed<M extends { name: string }>(
  simulate: (seed: number, traced: boolean, mutant: M) => Promise<Outcome>,
  mutant: M,
  seeds: number,
): Promise<SeedSearch> {
  const noted = DETECTING_SEEDS[mutant.name]
  const all = Array.from({ length: seeds }, (_, index) => index + 1)
  for (const seed of noted === undefined ? all : [noted, ...all]) {
    const outcome = await simulate(seed, false, mutant)
    if (outcome.violation) return { mutant: mutant.name, caught: outcome }
  }
  return { mutant: mutant.name, caught: undefined }
}
