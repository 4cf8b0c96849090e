// What is on its way, as those who watch see it: told at once, and after that no more often than eyes
// can follow, or a long queue would spend its time on telling.
import { Observable } from './observable.ts'

/** Between two tellings, in milliseconds. */
const THROTTLE_MS = 100

export class SendingView {
  readonly ids = new Observable<ReadonlySet<string>>(new Set())
  readonly #schedule: (wait: number, work: () => void) => void
  readonly #publish: (ids: string[]) => void
  #latest: readonly string[] = []
  #throttled = false

  /** `tell` hears what is to be told to others. */
  constructor(
    schedule: (wait: number, work: () => void) => void,
    publish: (ids: string[]) => void,
  ) {
    this.#schedule = schedule
    this.#publish = publish
  }

  /** These are on their way from this context. */
  update(ids: readonly string[]): void {
    this.#latest = ids
    if (this.#throttled) return
    this.ids.set(new Set(ids))
    this.#publish([...ids])
    this.#throttled = true
    this.#schedule(THROTTLE_MS, () => {
      this.#throttled = false
      if (this.#latest !== ids) this.update(this.#latest)
    })
  }
}
