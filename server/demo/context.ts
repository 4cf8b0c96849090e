// What all builders of the demonstration data share.
import type { SeededRandom } from './random.ts'

/** The organisation, its members, the current time and the random source. */
export interface SeedContext {
  organisation_id: string
  people: readonly string[]
  now: Date
  /** Takes the next version of the organisation. */
  next: () => number
  random: SeededRandom
}
