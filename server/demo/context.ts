// What all builders of the demonstration data share.
import type { SeededRandom } from './random.ts'

/** What telling takes: whose it is, who may speak, and when. */
export interface SeedContext {
  organisation_id: string
  people: readonly string[]
  now: Date
  /** The next version of the organisation. */
  next: () => number
  random: SeededRandom
}
