// Refreshes that calls share, and one that was refused in another form than agreed. A gateway may answer a JSON 401 of
// its own for a while. The server means it when it refuses the same refresh token twice, some time apart, and the access
// token in JSON, too.
import type { RefreshResult } from '../token-client.ts'

/** A doubtful refusal counts when another comes at least this much later. */
const DOUBT_MS = 10_000
/** A refresh that was answered otherwise than agreed is not repeated sooner: each list that is read would do so. */
const PAUSE_MS = 5_000

/** An access token that was refused: in JSON, by a call of the specification, where `isJson`. */
export interface StaleToken {
  user_id: string
  access_token: string
  isJson: boolean
}

/** The refreshes of one context. */
export class Refreshes {
  #running: { access_token: string; done: Promise<unknown> } | undefined
  /** The last one that was answered otherwise than agreed. */
  #futile: { refresh_token: string; at: number } | undefined
  /** The first doubtful refusal. */
  #first: { refresh_token: string; at: number } | undefined

  /**
   * The refresh that replaces this access token: the running one, where there is one (specification, section 4). Also
   * one that fails, so that not every call that waited for it asks the server once more.
   */
  share<T>(access_token: string, refresh: () => Promise<T>): Promise<T> {
    // Safe cast: all callers share refreshes of one kind.
    if (this.#running?.access_token === access_token) return this.#running.done as Promise<T>
    const done = refresh().finally(() => {
      if (this.#running?.done === done) this.#running = undefined
    })
    this.#running = { access_token, done }
    return done
  }

  /** Whether one with this token was answered otherwise than agreed just now. `now`: the device's clock. */
  isFutile(refresh_token: string, now: number): boolean {
    if (this.#futile?.refresh_token !== refresh_token) return false
    const age = now - this.#futile.at
    return age >= 0 && age < PAUSE_MS
  }

  /** What the result of one means. `now`: the device's clock; `isJson`: see `StaleToken`. */
  interpret(
    { result }: RefreshResult,
    { refresh_token, isJson, now }: { refresh_token: string; isJson: boolean; now: number },
  ): Exclude<RefreshResult['result'], 'doubtful'> {
    const meant = result === 'doubtful' ? this.#check(refresh_token, isJson, now) : result
    if (meant === 'not-understood') this.#futile = { refresh_token, at: now }
    return meant
  }

  #check(refresh_token: string, isJson: boolean, now: number): 'refused' | 'not-understood' {
    const first = this.#first
    if (first?.refresh_token !== refresh_token || first.at > now) {
      this.#first = { refresh_token, at: now }
      return 'not-understood'
    }
    return isJson && now - first.at >= DOUBT_MS ? 'refused' : 'not-understood'
  }
}
