// Seeded choices for one step of an exploration. Candidates are weighed by a hash of seed, step and
// name, so that one candidate more or less on the screen rarely changes which one is chosen.
import { Rng } from '../../sync/simulation/simulated-environment.ts'

export interface Weighted {
  /** Identifies the candidate in every replay. */
  key: string
  weight: number
}

const STEP_STRIDE = 7_919

/** All randomness of one step; each step has its own, so a skipped draw does not change later steps. */
export class Choice extends Rng {
  readonly #salt: string

  constructor(seed: number, step: number) {
    super(seed * STEP_STRIDE + step)
    this.#salt = `${seed}/${step}`
  }

  /** One candidate, in proportion to its weight; undefined when there is none. */
  among<T extends Weighted>(candidates: readonly T[]): T | undefined {
    const ranked = candidates
      .filter(({ weight }) => weight > 0)
      // Exponential races: the smallest time wins with a probability in proportion to its weight.
      .map((one) => ({ one, time: -Math.log(this.#fractionOf(one.key)) / one.weight }))
      .toSorted((a, b) => a.time - b.time)
    return ranked[0]?.one
  }

  /** Between 0 and 1, both excluded: FNV-1a over the salted key, mixed once more. */
  #fractionOf(key: string): number {
    let hash = 0x811c9dc5
    for (const letter of `${this.#salt}/${key}`)
      hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
    return (new Rng(hash).fraction() * 0xffff_fffe + 1) / 0x1_0000_0000
  }
}
