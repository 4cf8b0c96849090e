// The open event streams of this process: an organisation's version as server-sent events, the current one at once,
// then each new one, with heartbeats in between. After a write the version, and the changes if they are few, are read
// once for all streams of the organisation. Access is checked when a membership or a session ends. With each heartbeat
// versions and access are checked again, by three statements for ten thousand streams.
import {
  membersOf,
  sessionsOf,
  versionsOf,
  type ChangeSubscriptions,
} from '../../database/change-bus.ts'
import { errorFields, log } from '../../log.ts'
import { eventOf, OpenStream, type StreamOwner, type VersionEvent } from './open-stream.ts'

/** How many event streams of a user, and of an organisation, may be open at one process. */
export interface StreamLimits {
  perUser: number
  perOrganisation: number
}

/** An app holds one stream for each device: twenty of one user are a mistake. */
export const STREAM_LIMITS: StreamLimits = { perUser: 20, perOrganisation: 5_000 }

/** Where streams get versions and access from, and when they end. */
export interface StreamSource {
  changes: ChangeSubscriptions
  /**
   * The organisation's version, undefined when it is deleted, and the changes above `since` up to `until`, where they
   * are few.
   */
  readEvent(
    organisation_id: string,
    interval: { since: number; until: number } | undefined,
  ): Promise<{ version: number; changes?: object } | undefined>
  /** The organisations' versions, without those of deleted ones. */
  readVersions(organisation_ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The owners among these who may still listen to their organisation. */
  findAllowed(owners: readonly StreamOwner[]): Promise<ReadonlySet<StreamOwner>>
  limits: StreamLimits
  /** Aborted when the server stops. */
  closing: AbortSignal
  /** Milliseconds between heartbeats. */
  heartbeatMs: number
}

/** The open event streams of this process. */
export interface EventStreams {
  /**
   * Opens a stream that begins with `version`, and ends when its owner's session or membership does. Undefined when
   * the user or the organisation has too many.
   */
  open(owner: StreamOwner, version: number): ReadableStream<Uint8Array> | undefined
}

/** At most one event of an organisation in this time, so that many writes become one. */
const THROTTLE_MS = 100
/** Delay after a failed read. Streams stay open: that the database is unreachable does not end access. */
const RETRY_MS = 2_000

let openCount = 0
/** The open streams of this process, for metrics. */
export const countOpenStreams = (): number => openCount

const sleep = (delayMs: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, delayMs).unref()
  })

/** The streams of one organisation. */
class StreamGroup {
  readonly #organisation_id: string
  readonly #source: StreamSource
  readonly #streams = new Set<OpenStream>()
  /** Streams whose owner may have lost access. */
  readonly #unchecked = new Set<OpenStream>()
  /** There may be a new version. */
  #isStale = false
  /** The version that was sent last; before that, the one that the first stream began with. */
  #version: number
  /**
   * The newest version that a commit has published. Keys arrive in the order of commits, so every end of access before
   * that version is known here, and its changes may be sent. A read may already see a later version, whose changes wait
   * for its own key.
   */
  #published: number | undefined
  /** A read has seen a version whose key may be on its way. */
  #awaitsKey = false
  #isRunning = false
  readonly #release: () => void

  constructor(organisation_id: string, version: number, source: StreamSource) {
    this.#organisation_id = organisation_id
    this.#version = version
    this.#source = source
    const { changes } = source
    const endings = [
      changes.subscribe(versionsOf(organisation_id), (version) => {
        this.#published = version
        this.#readAgain()
      }),
      changes.subscribe(organisation_id, () => this.#readAgain()),
      changes.subscribe(membersOf(organisation_id), () => this.#checkAll()),
    ]
    this.#release = () => endings.forEach((end) => end())
  }

  get size(): number {
    return this.#streams.size
  }

  get streams(): OpenStream[] {
    return [...this.#streams]
  }

  /** Ends the streams among these that are still open and whose owners are not allowed. */
  endOthers(streams: readonly OpenStream[], allowed: ReadonlySet<StreamOwner>): void {
    for (const stream of streams)
      if (this.#streams.has(stream) && !allowed.has(stream.owner)) stream.end()
  }

  add(stream: OpenStream): void {
    this.#streams.add(stream)
    // Since its version and its owner's access were read, there may have been a write, and the access may have ended.
    this.check(stream)
  }

  remove(stream: OpenStream): void {
    this.#streams.delete(stream)
    this.#unchecked.delete(stream)
    if (this.size === 0) this.#release()
  }

  /** Checks the owner of a stream before it gets another version. */
  check(stream: OpenStream): void {
    this.#unchecked.add(stream)
    this.#readAgain()
  }

  /** `version` as it was read; undefined when the organisation is deleted. */
  see(version: number | undefined): void {
    if (version !== this.#version) this.#readAgain()
  }

  endAll(): void {
    for (const stream of this.#streams) stream.end()
  }

  #checkAll(): void {
    for (const stream of this.#streams) this.#unchecked.add(stream)
    this.#readAgain()
  }

  #readAgain(): void {
    this.#isStale = true
    void this.#run()
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    // So that all that is published in this turn of the event loop is read at once.
    await new Promise(setImmediate)
    while (this.size > 0 && (this.#isStale || this.#unchecked.size > 0)) {
      const isDone = await this.#update().catch(() => false)
      await sleep(isDone ? THROTTLE_MS : RETRY_MS)
    }
    this.#isRunning = false
  }

  /** Rejects when the database does not answer; then all of it is done again. */
  async #update(): Promise<boolean> {
    const checked = [...this.#unchecked]
    if (checked.length > 0) {
      // Cleared before the look-up: access that may have ended during it is looked up once more.
      this.#unchecked.clear()
      const owners = checked.map(({ owner }) => owner)
      const allowed = await this.#source.findAllowed(owners).catch((error: unknown) => {
        for (const stream of checked) if (this.#streams.has(stream)) this.#unchecked.add(stream)
        throw error
      })
      this.endOthers(checked, allowed)
    }
    if (!this.#isStale) return true
    this.#isStale = false
    try {
      const event = await this.#readEvent()
      if (!event) this.endAll()
      else if (event === 'early') this.#checkAll()
      else for (const stream of this.#streams) if (!this.#unchecked.has(stream)) stream.send(event)
      // Streams that wait for a check get the version after it.
      if (this.#unchecked.size > 0) this.#isStale = true
    } catch (error) {
      this.#isStale = true
      throw error
    }
    return true
  }

  /**
   * Undefined when the organisation is deleted. `early` when a version was read before its key has arrived: with the
   * key it is sent with its changes. Only once, since the key may have come before the first stream was opened.
   */
  async #readEvent(): Promise<VersionEvent | 'early' | undefined> {
    const [previous, published] = [this.#version, this.#published]
    const interval =
      published !== undefined && previous < published
        ? { since: previous, until: published }
        : undefined
    const read = await this.#source.readEvent(this.#organisation_id, interval)
    if (!read) return undefined
    const { changes } = read
    this.#awaitsKey = !interval && read.version > previous && !this.#awaitsKey
    if (this.#awaitsKey) return 'early'
    this.#version = changes && interval ? interval.until : read.version
    return changes && interval
      ? eventOf(this.#organisation_id, interval.until, { previous: interval.since, data: changes })
      : eventOf(this.#organisation_id, read.version)
  }
}

/** No streams yet. */
export function createEventStreams(source: StreamSource): EventStreams {
  const { changes, closing, limits } = source
  const groups = new Map<string, StreamGroup>()
  const openByUser = new Map<string, number>()
  const count = (user_id: string, change: 1 | -1) => {
    const open = (openByUser.get(user_id) ?? 0) + change
    if (open > 0) openByUser.set(user_id, open)
    else openByUser.delete(user_id)
  }
  closing.addEventListener('abort', () => {
    for (const group of groups.values()) group.endAll()
  })
  /** Finds what no notification tells: expired sessions, and changes whose notifications were lost. */
  async function sweep(): Promise<void> {
    const open = [...groups].map(([id, group]) => ({ id, group, streams: group.streams }))
    const all = open.flatMap(({ streams }) => streams)
    for (const stream of all) stream.sendHeartbeat()
    const allowed = await source.findAllowed(all.map(({ owner }) => owner))
    for (const { group, streams } of open) group.endOthers(streams, allowed)
    const versions = await source.readVersions(open.map(({ id }) => id))
    for (const { id, group } of open) group.see(versions.get(id))
  }
  let isSweeping = false
  const heartbeat = setInterval(() => {
    if (isSweeping || groups.size === 0) return
    isSweeping = true
    void sweep()
      .catch((error: unknown) => log('error', 'streams not checked', errorFields(error)))
      .finally(() => (isSweeping = false))
  }, source.heartbeatMs).unref()
  closing.addEventListener('abort', () => clearInterval(heartbeat))

  /** Adds the stream, which has begun with `version`, to its group; returns the function that removes it. */
  function join(stream: OpenStream, version: number): () => void {
    const { organisation_id, user_id } = stream.owner
    const group = groups.get(organisation_id) ?? new StreamGroup(organisation_id, version, source)
    groups.set(organisation_id, group)
    group.add(stream)
    count(user_id, 1)
    openCount += 1
    const unsubscribe = changes.subscribe(sessionsOf(user_id), () => group.check(stream))
    return () => {
      unsubscribe()
      count(user_id, -1)
      openCount -= 1
      group.remove(stream)
      if (group.size === 0) groups.delete(organisation_id)
    }
  }

  return {
    open(owner, version) {
      if ((openByUser.get(owner.user_id) ?? 0) >= limits.perUser) return undefined
      if ((groups.get(owner.organisation_id)?.size ?? 0) >= limits.perOrganisation) return undefined
      let leave: (() => void) | undefined
      const end = () => {
        leave?.()
        leave = undefined
      }
      let stream: OpenStream | undefined
      return new ReadableStream<Uint8Array>({
        start(controller) {
          if (closing.aborted) {
            controller.close()
            return
          }
          stream = new OpenStream(owner, controller, end)
          stream.send(eventOf(owner.organisation_id, version))
          leave = join(stream, version)
        },
        pull: () => stream?.resume(),
        cancel: end,
      })
    },
  }
}
