// An organisation's version as server-sent events: the current one at once, then each new one, with heartbeats
// in between.

/** Where a stream gets versions from. */
export interface VersionSource {
  /** The current version; undefined when the listener has lost access. */
  version(): Promise<number | undefined>
  /** Calls `listener` when there may be a new version. Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void
  /** Aborted when the server stops. */
  closing: AbortSignal
  /** Milliseconds between heartbeats. */
  heartbeatMs: number
  /** Called once when the stream ends. */
  onEnd(): void
}

/** At most one event in this time, so that many writes of a busy organisation become one. */
const THROTTLE_MS = 100

/** A stream of `event: version`, `data: {"version":N}`. Ends when the source returns no version or is closing. */
export function streamVersions(source: VersionSource): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let lastSent: number | undefined
  let isPolling = false
  let hasEnded = false
  /** What to do once the current poll is over, or the listener reads again. */
  let pending: 'poll' | 'heartbeat' | undefined
  let release = () => {}

  const end = () => {
    if (hasEnded) return
    hasEnded = true
    release()
    source.onEnd()
  }

  async function poll(
    controller: ReadableStreamDefaultController<Uint8Array>,
    isHeartbeat: boolean,
  ) {
    const isBlocked = isPolling || (controller.desiredSize ?? 0) <= 0
    if (hasEnded || isBlocked) {
      pending ??= isHeartbeat ? 'heartbeat' : 'poll'
      return
    }
    isPolling = true
    pending = undefined
    const version = await source.version().catch(() => undefined)
    if (hasEnded) return
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
      if (pending) void poll(controller, pending === 'heartbeat')
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
      if (pending) void poll(controller, pending === 'heartbeat')
    },
    cancel: end,
  })
}
