// One open event stream, and the events that it gets.

/** Who listens to which organisation, and the session that opened the stream. */
export interface StreamOwner {
  user_id: string
  organisation_id: string
  family_id: string
}

/** With more bytes of changes an event has only the version. */
const MAX_CHANGES_BYTES = 16_384

const encoder = new TextEncoder()
const HEARTBEAT = encoder.encode(':\n\n')

/** A version as it is sent. The same bytes go to all streams. */
export interface VersionEvent {
  version: number
  bytes: Uint8Array
}

/**
 * The event of a version. `changes`: what `GET /api/v1/changes?since=<previous>` answered at that version, for devices
 * that are exactly at `previous`.
 */
export function eventOf(
  organisation_id: string,
  version: number,
  changes?: { previous: number; data: object },
): VersionEvent {
  const json = JSON.stringify({ version, ...(changes && { organisation_id, ...changes }) })
  const bytes = encoder.encode(`event: version\ndata: ${json}\n\n`)
  return changes && bytes.byteLength > MAX_CHANGES_BYTES
    ? eventOf(organisation_id, version)
    : { version, bytes }
}

/** A stream, as its organisation's group sees it. */
export class OpenStream {
  readonly owner: StreamOwner
  readonly #controller: ReadableStreamDefaultController<Uint8Array>
  readonly #onEnd: () => void
  #lastSent: number | undefined
  /** What the listener has not read yet: sent when it reads again, without changes. */
  #owed: number | undefined

  constructor(
    owner: StreamOwner,
    controller: ReadableStreamDefaultController<Uint8Array>,
    onEnd: () => void,
  ) {
    this.owner = owner
    this.#controller = controller
    this.#onEnd = onEnd
  }

  send({ version, bytes }: VersionEvent): void {
    this.#owed = undefined
    if (version === this.#lastSent) return
    if ((this.#controller.desiredSize ?? 0) <= 0) {
      this.#owed = version
      return
    }
    this.#lastSent = version
    this.#controller.enqueue(bytes)
  }

  /** Nothing to a listener that has not read the last one. */
  sendHeartbeat(): void {
    if ((this.#controller.desiredSize ?? 0) > 0) this.#controller.enqueue(HEARTBEAT)
  }

  /** To be called when the listener reads again. */
  resume(): void {
    if (this.#owed !== undefined) this.send(eventOf(this.owner.organisation_id, this.#owed))
  }

  end(): void {
    this.#onEnd()
    this.#controller.close()
  }
}
