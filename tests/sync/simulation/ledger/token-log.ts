// The observer of the session: no refresh token is spent twice (I7), and no one is signed out unless the
// server refused a refresh (I10).
import type { NetworkRequest } from '../../../../src/sync/core/ports.ts'
import type { StoredSession } from '../../../../src/sync/core/session-store.ts'
import type { SimulatedEnvironment, SimulatedProcess } from '../simulated-environment.ts'

const refreshTokenOf = ({ body }: NetworkRequest): string | undefined =>
  (JSON.parse(body ?? '{}') as { refresh_token?: string }).refresh_token

type IsServer = (api: string | undefined) => boolean

export class TokenLog {
  refreshes = 0
  signOuts = 0
  readonly #world: SimulatedEnvironment
  readonly #isServer: IsServer
  #stored: StoredSession = { seq: 0, session: null }
  #spent = new Set<string>()
  #refused = new Set<string>()
  #refreshing = new Map<string, Set<SimulatedProcess>>()

  /** `isServer`: whether a session with that base URL is of the server that the device knows. */
  constructor(world: SimulatedEnvironment, isServer: IsServer = () => true) {
    this.#world = world
    this.#isServer = isServer
  }

  /** The base URL of the API that the session is of. */
  get api(): string | undefined {
    return this.#stored.api
  }

  /** The session in the database. */
  get session(): StoredSession['session'] {
    return this.#stored.session
  }

  /** A session was stored. Returns whether it ended the one before. */
  sessionChanged(owner: SimulatedProcess, stored: StoredSession): boolean {
    const before = this.#stored
    this.#stored = stored
    const token = before.session?.refresh_token
    const next = stored.session?.refresh_token
    this.#world.log(
      owner.name,
      () => `session ${stored.seq}: ${stored.session?.user.id ?? 'none'} ${next ?? ''}`,
    )
    if (token !== undefined && next !== undefined && token !== next) this.#spent.add(token)
    if (!before.session || stored.session) return false
    this.signOuts += 1
    if (!this.#isServer(before.api)) return true
    if (stored.left?.forced && !this.#refused.has(before.session.refresh_token))
      this.#world.fail('I10', `${before.session.user.id} was signed out and no refresh was refused`)
    return true
  }

  /** A context sends a request. */
  requestSent(owner: SimulatedProcess, request: NetworkRequest): void {
    const token = request.url === '/oauth/token' ? refreshTokenOf(request) : undefined
    if (token === undefined) return
    this.refreshes += 1
    const others = this.#refreshing.get(token) ?? new Set()
    this.#refreshing.set(token, others)
    for (const other of others)
      if (other !== owner && other.state !== 'dead')
        this.#world.fail('I7', `${owner.name} and ${other.name} spend ${token} at once`)
    if (this.#spent.has(token)) this.#world.fail('I7', `${owner.name} spends ${token} once more`)
    others.add(owner)
  }

  /** The exchange has ended for that context. */
  responseDelivered(owner: SimulatedProcess, request: NetworkRequest): void {
    const token = request.url === '/oauth/token' ? refreshTokenOf(request) : undefined
    if (token !== undefined) this.#refreshing.get(token)?.delete(owner)
  }

  /** The server answered with that status. */
  responseCreated(request: NetworkRequest, status: number): void {
    const token = refreshTokenOf(request)
    if (token !== undefined && [400, 401].includes(status)) this.#refused.add(token)
  }
}
