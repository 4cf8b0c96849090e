// What the server can do beyond the specification, announced in the header of its answers, or
// in the configuration. Known for each API address and user, and stored beside the session: making
// room never deletes it, and the service worker reads it.
import { CAPABILITIES_HEADER } from '../../../../contract/capabilities.ts'
import type { ApiCall, NetworkResponse, Ports, Transaction } from '../ports.ts'
import { readSession } from '../session-store.ts'

/** First element of its keys in the store `session`. */
const STORE_PREFIX = 'capabilities'
const MAX_LENGTH = 4_000
const FRESH_MS = 5 * 60_000

/** What is stored for one user at one API address. */
interface StoredCapabilities {
  user_id: string
  baseUrl: string
  /** The header of the last answer to a call of the specification; null when that had none. */
  announced: string | null
}

/** Whether the server has a capability. `unknown` before its first answer, where the configuration does not name it. */
export type Known = 'yes' | 'no' | 'unknown'

/** The names of a list such as `ids, keys=2592000`, with their values; empty without one. */
export function parseCapabilities(list: string): ReadonlyMap<string, string> {
  const parsed = new Map<string, string>()
  for (const item of list.slice(0, MAX_LENGTH).split(',')) {
    const [, name, value = ''] = /^([a-z][a-z\d-]*)(?:=([\w.-]*))?$/i.exec(item.trim()) ?? []
    if (name !== undefined) parsed.set(name.toLowerCase(), value)
  }
  return parsed
}

/** Only these mean that a call does not exist; with an id in its path a 404 may mean the record. */
const isAbsence = (call: ApiCall, status: number): boolean =>
  status === 405 || status === 501 || (status === 404 && !call.path.includes('{'))

/** The capabilities of the server of one context. Its questions are synchronous. */
export class Capabilities {
  readonly #ports: Ports
  readonly #currentUser: () => string | undefined
  /** By `keyOf`: the header of the last answer to a call of the specification, null when that had none. */
  readonly #announced = new Map<string, string | null>()
  /** The header of such an answer to a user who is being signed in. */
  #unassigned: string | null | undefined
  /** Capabilities whose calls were refused, how, and the list that announced them. */
  readonly #refused = new Map<string, { list: string; status: number }>()
  #lastUser: string | undefined
  /** When the server last said what is known: device clock, epoch milliseconds. */
  #learntAt = -Infinity
  #loading: Promise<void> = Promise.resolve()
  readonly #listeners = new Set<() => void>()
  #parsed: { list: string; names: ReadonlyMap<string, string> } = { list: '', names: new Map() }

  /** `currentUser` is the id of the signed-in user. */
  constructor(ports: Ports, currentUser: () => string | undefined) {
    this.#ports = ports
    this.#currentUser = currentUser
  }

  /** Reads what is stored; to be called before the first call. Rejects when storage fails. */
  load(): Promise<void> {
    const reading = this.#read()
    this.#loading = reading.catch(() => undefined)
    return reading
  }

  /** Resolves when what is stored has been read, or could not be. */
  loaded(): Promise<void> {
    return this.#loading
  }

  async #read(): Promise<void> {
    const stored = await this.#ports.store.transact(['session'], 'readonly', (tx) =>
      tx.all('session', [STORE_PREFIX]),
    )
    for (const { user_id, baseUrl, announced } of stored as StoredCapabilities[]) {
      const key = keyOf(user_id, baseUrl)
      // What this context has learnt itself is newer.
      if (!this.#announced.has(key)) this.#announced.set(key, announced)
    }
    this.#publish()
  }

  /** Calls `listener` after each change. Returns the function that unsubscribes it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** The list as the server announces it or the configuration names it; undefined when nothing is known. */
  get list(): string | undefined {
    const { baseUrl, capabilities, isUnknown } = this.#ports.api()
    // After a sign-out what the server announced to the last user still counts.
    const user_id = (this.#lastUser = this.#currentUser() ?? this.#lastUser)
    const announced =
      user_id === undefined ? undefined : this.#announced.get(keyOf(user_id, baseUrl))
    // A header that another origin may not read looks like none: then the configuration counts.
    if (announced !== undefined) return announced ?? capabilities ?? ''
    return capabilities ?? (user_id === undefined && !isUnknown ? '' : undefined)
  }

  /** Whether the configuration alone names the capabilities: the server may lack them. */
  get isOnlyConfigured(): boolean {
    const { baseUrl, capabilities } = this.#ports.api()
    const announced = this.#announced.get(keyOf(this.#currentUser() ?? '', baseUrl))
    return capabilities !== undefined && typeof announced !== 'string'
  }

  /** The names of the capabilities that are not absent; undefined when nothing is known. */
  get names(): string | undefined {
    if (this.list === undefined) return undefined
    return [...this.#names().keys()].filter((name) => this.has(name)).join(',')
  }

  /** Whether the server has that capability: what is not announced or not known is not there. */
  has(name: string): boolean {
    return this.known(name) === 'yes'
  }

  /** The value that came with the name, for example `2592000` for `keys`; undefined without the capability. */
  of(name: string): string | undefined {
    return this.has(name) ? this.#names().get(name) : undefined
  }

  /**
   * How long the server recognises a repeat by its key, in milliseconds: 0 without keys, without end where it does not
   * say.
   */
  get keyLifetimeMs(): number {
    if (!this.has('keys')) return 0
    return Number(this.of('keys')) * 1_000 || Infinity
  }

  known(name: string): Known {
    const { list } = this
    if (list === undefined) return 'unknown'
    return this.#names().has(name) && this.#refused.get(name)?.list !== list ? 'yes' : 'no'
  }

  /** Whether anything is known; with `isFresh` only from an answer of the last FRESH_MS in this context. */
  isKnown(isFresh: boolean): boolean {
    const age = this.#ports.clock.now() - this.#learntAt
    return this.list !== undefined && (!isFresh || (age >= 0 && age < FRESH_MS))
  }

  /**
   * Whether the call may be made: one of the specification, or of a capability that is not absent. What is queued may
   * be sent where only a 401 says so, which may have been about another call.
   */
  allows({ capability, offlinePolicy }: ApiCall): boolean {
    if (capability === undefined || this.known(capability) !== 'no') return true
    const refused = this.#refused.get(capability)
    return offlinePolicy !== undefined && refused?.status === 401 && refused.list === this.list
  }

  /** To be called with a validated 2xx answer in JSON to any other call: it may say what is known already. */
  confirm(response: NetworkResponse): void {
    if ((response.header(CAPABILITIES_HEADER) ?? '') === (this.list ?? ''))
      this.#learntAt = this.#ports.clock.now()
  }

  /**
   * To be called with each validated 2xx answer in JSON to a call of the specification; without `user_id`
   * while a user is being signed in.
   */
  learn(response: NetworkResponse, user_id: string | undefined): void {
    const announced = response.header(CAPABILITIES_HEADER)
    this.#learntAt = this.#ports.clock.now()
    if (user_id === undefined) this.#unassigned = announced
    else this.#remember(user_id, announced)
  }

  /** The user of the last answer without a session is known now. */
  adopt(user_id: string): void {
    if (this.#unassigned !== undefined) this.#remember(user_id, this.#unassigned)
  }

  /**
   * To be called when a call of a capability was refused with `status`. 401 only where a call of the specification
   * takes the same tokens. The capability is absent until the server announces another list, or the app starts again.
   */
  refuse(call: ApiCall, status: number): void {
    const { capability } = call
    const { list } = this
    if (capability === undefined || list === undefined) return
    if (status !== 401 && !isAbsence(call, status)) return
    this.#refused.set(capability, { list, status })
    this.#publish()
  }

  #remember(user_id: string, announced: string | null): void {
    const { baseUrl } = this.#ports.api()
    const key = keyOf(user_id, baseUrl)
    if (this.#announced.get(key) === announced) return
    this.#announced.set(key, announced)
    this.#publish()
    const stored: StoredCapabilities = { user_id, baseUrl, announced }
    // What could not be stored is learnt again.
    void this.#ports.store
      .transact(['session'], 'readwrite', async (tx) => {
        const { session } = await readSession(tx)
        if (session?.user.id === user_id)
          tx.put('session', [STORE_PREFIX, user_id, baseUrl], stored)
      })
      .catch(() => undefined)
  }

  #names(): ReadonlyMap<string, string> {
    const list = this.list ?? ''
    if (this.#parsed.list !== list) this.#parsed = { list, names: parseCapabilities(list) }
    return this.#parsed.names
  }

  #publish(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** Deletes what is stored for a user, in the transaction of a sign-out over the store `session`. */
export const forgetCapabilities = (tx: Transaction, user_id: string): void =>
  tx.deleteAll('session', [STORE_PREFIX, user_id])

const keyOf = (user_id: string, baseUrl: string): string => JSON.stringify([user_id, baseUrl])
