// When the active organisation is read, and how old the device's copy of it is.
import type { Cache, Progress, Scope } from './cache.ts'
import type { Connection } from './connection.ts'
import type { Download } from './download.ts'
import { Observable } from './observable.ts'

/** How much of the active organisation is on the device. */
export interface DownloadState {
  /** The first whole download is still to come to its end, or is put off to spare the network; or neither. */
  phase: 'idle' | 'first' | 'sparing'
  /** Of a first download what is done, from 0 to 1; null when that is not known. */
  share: number | null
}

const IDLE: DownloadState = { phase: 'idle', share: null }

export class Reading {
  /** When the active organisation was last read to its end, in epoch milliseconds. */
  readonly syncedAt = new Observable<number | null>(null)
  readonly download = new Observable<DownloadState>(IDLE)
  readonly #download: Download
  readonly #connection: Connection
  readonly #active: () => Cache | undefined
  readonly #landed: () => Promise<void>
  #pulling: { scope: Scope; done: Promise<void> } | undefined

  /** `active` is the cache of the active organisation; `landed` hears when what was read is there. */
  constructor(
    download: Download,
    connection: Connection,
    active: () => Cache | undefined,
    landed: () => Promise<void>,
  ) {
    this.#download = download
    this.#connection = connection
    this.#active = active
    this.#landed = landed
  }

  /** Reads the active organisation to its end; shared by all who ask while it runs. */
  async pull(): Promise<void> {
    const cache = this.#active()
    if (!cache) return
    const running = this.#pulling
    if (running && sameScope(running.scope, cache.scope)) return await running.done
    const done = this.#pullOnce(cache).finally(() => {
      if (this.#pulling?.done === done) this.#pulling = undefined
    })
    this.#pulling = { scope: cache.scope, done }
    await done
  }

  /** A pull that begins from now on, even when one is under way. */
  async pullAgain(): Promise<void> {
    await this.#pulling?.done.catch(() => undefined)
    await this.pull()
  }

  /** Brings one partition of a collection; false when the server could not be asked. */
  async pullPart(cache: Cache, name: string, partition: string): Promise<boolean> {
    const brought = await this.#download.pullPart(cache, name, partition)
    await this.#landed()
    return brought === true
  }

  /** Brings the whole organisation, however dear the network. */
  async downloadAll(): Promise<void> {
    await this.#active()?.wantAll()
    await this.pullAgain()
  }

  /** Says how old and how whole the device's copy of the active organisation is; without a network as well. */
  async tellAge(): Promise<void> {
    const cache = this.#active()
    if (!cache) return
    const progress = await cache.progress()
    if (!sameScope(this.#active()?.scope, cache.scope)) return
    this.syncedAt.set(progress.synced_at)
    const { phase, share } = this.#stateOf(progress)
    const shown = this.download.get()
    if (shown.phase !== phase || shown.share !== share) this.download.set({ phase, share })
  }

  #stateOf(progress: Progress): DownloadState {
    const { since, whole, latest } = progress
    if (whole || this.#download.listsOnly) return IDLE
    const share = latest ? Math.min(1, since / latest) : null
    return { phase: this.#download.spares(progress) ? 'sparing' : 'first', share }
  }

  async #pullOnce(cache: Cache): Promise<void> {
    // Storage that fails is asked again later, like a server that does not answer.
    const pulled = await this.#download.pull(cache).catch(() => 'unreachable' as const)
    // The server is there and could not answer; without any answer the next try is set already.
    if (pulled === 'unreachable' && !this.#connection.offline) this.#connection.tryAgain()
    if (pulled !== 'done') return
    this.#connection.worked()
    await this.tellAge().catch(() => undefined)
    await this.#landed()
  }
}

export const sameScope = (a: Scope | undefined, b: Scope): boolean =>
  a?.user_id === b.user_id && a.organisation_id === b.organisation_id
