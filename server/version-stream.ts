// Versions of an organisation as server-sent events: the present one at once, then each that follows,
// and between them signs of life.

export interface VersionSource {
  /** The version now; undefined when the listener may not know it any more. */
  version(): Promise<number | undefined>
  /** Calls `listener` when there may be a new one. Returns how to stop that. */
  listen(listener: () => void): () => void
  /** Aborted when the server stops. */
  closing: AbortSignal
  /** Milliseconds between signs of life. */
  heartbeat: number
  /** Called once, when the stream is over. */
  ended(): void
}

/** Milliseconds between two looks: a busy organisation is told of as one, not write by write. */
const PAUSE = 100

/** The stream of `event: version`, `data: {"version":N}`. Ends when the source has no version to tell. */
export function streamVersions(source: VersionSource): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let told: number | undefined
  let isLooking = false
  let isOver = false
  /** What came up while a look was going on, or while the listener did not read. */
  let waiting: 'look' | 'beat' | undefined
  let release = () => {}

  const end = () => {
    if (isOver) return
    isOver = true
    release()
    source.ended()
  }

  async function look(controller: ReadableStreamDefaultController<Uint8Array>, isBeat: boolean) {
    const isBlocked = isLooking || (controller.desiredSize ?? 0) <= 0
    if (isOver || isBlocked) {
      waiting ??= isBeat ? 'beat' : 'look'
      return
    }
    isLooking = true
    waiting = undefined
    const version = await source.version().catch(() => undefined)
    if (isOver) return
    if (version === undefined) {
      end()
      controller.close()
      return
    }
    if (version !== told)
      controller.enqueue(encoder.encode(`event: version\ndata: {"version":${version}}\n\n`))
    else if (isBeat) controller.enqueue(encoder.encode(':\n\n'))
    told = version
    setTimeout(() => {
      isLooking = false
      if (waiting) void look(controller, waiting === 'beat')
    }, PAUSE).unref()
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      const unlisten = source.listen(() => void look(controller, false))
      const beat = setInterval(() => void look(controller, true), source.heartbeat).unref()
      const close = () => {
        end()
        controller.close()
      }
      source.closing.addEventListener('abort', close)
      release = () => {
        unlisten()
        clearInterval(beat)
        source.closing.removeEventListener('abort', close)
      }
      if (source.closing.aborted) close()
      else void look(controller, false)
    },
    pull(controller) {
      if (waiting) void look(controller, waiting === 'beat')
    },
    cancel: end,
  })
}
