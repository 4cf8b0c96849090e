// A refresh that was refused in another form than agreed. A gateway may answer a JSON 401 of its own for a while.
// The server means it when it refuses the same refresh token twice, some time apart, and the access token in JSON, too.

/** A doubtful refusal counts when another comes at least this much later. */
const DOUBT_MS = 10_000

/** The first doubtful refusal in one context. */
export class RefreshDoubt {
  #first: { refresh_token: string; at: number } | undefined

  /** What a doubtful refusal is. `now`: the device's clock; `isJson`: the access token was refused in JSON. */
  check(refresh_token: string, isJson: boolean, now: number): 'refused' | 'not-understood' {
    const first = this.#first
    if (first?.refresh_token !== refresh_token || first.at > now) {
      this.#first = { refresh_token, at: now }
      return 'not-understood'
    }
    return isJson && now - first.at >= DOUBT_MS ? 'refused' : 'not-understood'
  }
}
