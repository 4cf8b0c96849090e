// Versions of an organisation as server-sent events: the present one at once, then each that follows,
// and between them signs of life.

export interface VersionSource {
  /** The version now; undefined when the listener may not know it any more. */
  version(): Promise<number | undefined>
  /** Calls `listener` when there may be a new one. Returns how to stop that. */
  subscribe(listener: () => void): () => void
  /** Aborted when the server stops. */
  closing: AbortSignal
  /** Milliseconds between signs of life. */
  heartbeatMs: number
  /** Called once, when the stream is over. */
  onEnd(): void
}

/** Milliseconds between two looks: a busy organisation is told of as one, not write by write. */
const THROTTLE_MS = 100

/** The stream of `event: version`, `data: {"version":N}`. Ends when the source has no version to tell. */
export function streamVersions(source: VersionSource): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let lastSent: number | undefined
  let isPolling = false
  let isOver = false
  /** What came up while a look was going on, or while the listener did not read. */
  let waiting: 'poll' | 'heartbeat' | undefined
  let release = () => {}

  const end = () => {
    if (isOver) return
    isOver = true
    release()
    source.onEnd()
  }

  async function poll(
    controller: ReadableStreamDefaultController<Uint8Array>,
    isHeartbeat: boolean,
  ) {
    const isBlocked = isPolling || (controller.desiredSize ?? 0) <= 0
    if (isOver || isBlocked) {
      waiting ??= isHeartbeat ? 'heartbeat' : 'poll'
      return
    }
    isPolling = true
    waiting = undefined
    const version = await source.version().catch(() => undefined)
    if (isOver) return
    if (version === undefined) {
      end()
      controller.close()
      return
    }
    if (version !== lastSent)
      controller.enqueue(encoder.encode(`event: version\ndata: {"version":${version}}\n\n`))
    else if (isHeartbeat) controller.enqueue(encoder.encode(':\n\n'))
    lastSent = version
    setTimeout(() => {
      isPolling = false
      if (waiting) void poll(controller, waiting === 'heartbeat')
    }, THROTTLE_MS).unref()
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      const unsubscribe = source.subscribe(() => void poll(controller, false))
      const heartbeatTimer = setInterval(
        () => void poll(controller, true),
        source.heartbeatMs,
      ).unref()
      const close = () => {
        end()
        controller.close()
      }
      source.closing.addEventListener('abort', close)
      release = () => {
        unsubscribe()
        clearInterval(heartbeatTimer)
        source.closing.removeEventListener('abort', close)
      }
      if (source.closing.aborted) close()
      else void poll(controller, false)
    },
    pull(controller) {
      if (waiting) void poll(controller, waiting === 'heartbeat')
    },
    cancel: end,
  })
}
