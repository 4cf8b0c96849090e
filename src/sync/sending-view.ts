// What is on its way, as those who watch see it: told at once, and after that no more often than eyes
// can follow, or a long queue would spend its time on telling.
import { Observable } from './observable.ts'

/** Between two tellings, in milliseconds. */
const PACE = 100

export class SendingView {
  readonly ids = new Observable<ReadonlySet<string>>(new Set())
  readonly #later: (wait: number, work: () => void) => void
  readonly #tell: (ids: string[]) => void
  #now: readonly string[] = []
  #pausing = false

  /** `tell` hears what is to be told to others. */
  constructor(later: (wait: number, work: () => void) => void, tell: (ids: string[]) => void) {
    this.#later = later
    this.#tell = tell
  }

  /** These are on their way from this context. */
  changed(ids: readonly string[]): void {
    this.#now = ids
    if (this.#pausing) return
    this.ids.set(new Set(ids))
    this.#tell([...ids])
    this.#pausing = true
    this.#later(PACE, () => {
      this.#pausing = false
      if (this.#now !== ids) this.changed(this.#now)
    })
  }
}
