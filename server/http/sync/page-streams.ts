// A download as one answer: all pages of changes after a version, each an event `page` of an event stream, in place of
// a request for each. The pages are the shared ones. A device that loses the stream goes on from its last page.
import { timeToTakeMs, type CountUnsent } from '../access/unsent-answers.ts'
import type { SharedPage } from './shared-pages.ts'
import { GzipFile } from './gzip-parts.ts'

/** Streams of one user in this process. Further requests get one page each. */
const MAX_PER_USER = 4

/** Where a stream gets its pages from. */
export interface PageSource {
  /** The page after a version. Rejects when the access of the user has ended, or the page cannot be read. */
  read(since: number): Promise<SharedPage>
  count: CountUnsent
  /** To be called when the stream ends. */
  end(): void
  /** To be called when the device has not taken a page in time. */
  disconnect(): void
}

/** The open streams of this process. */
export class PageStreams {
  readonly #closing: AbortSignal
  readonly #openByUser = new Map<string, number>()

  /** `closing`: aborted when the server stops; streams end with the page that they are at. */
  constructor(closing: AbortSignal) {
    this.#closing = closing
  }

  /**
   * Takes a place for a stream of that user: requests at once must not all find the last one free. Returns what frees
   * it, to be called once; undefined where the user has too many streams.
   */
  reserve(user_id: string): (() => void) | undefined {
    if ((this.#openByUser.get(user_id) ?? 0) >= MAX_PER_USER) return undefined
    this.#count(user_id, 1)
    return () => this.#count(user_id, -1)
  }

  /**
   * A gzip file with the pages after `since`. Each is read when there is room for it, so that none waits in memory and
   * access is checked right before. It ends early when a page cannot be read, or too much waits for its readers: the
   * request for that page then gets the error.
   */
  open(since: number, source: PageSource): ReadableStream<Uint8Array> {
    const file = new GzipFile()
    let begin = [file.begin()]
    let cursor = since
    let isLast = false
    let isCancelled = false
    let timer: NodeJS.Timeout | undefined
    let endCount: (() => void) | undefined
    const taken = () => {
      clearTimeout(timer)
      endCount?.()
      endCount = undefined
    }
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          taken()
          // It keeps its place until the device has taken the last page.
          if (isLast) {
            controller.close()
            source.end()
            return
          }
          const read = this.#closing.aborted
            ? undefined
            : await source.read(cursor).catch(() => undefined)
          if (isCancelled) return
          endCount = read && source.count(read.event.blocks.byteLength)
          const page = endCount && read
          cursor = page?.version ?? cursor
          isLast = !page?.more
          const chunks = [
            ...begin,
            ...(page ? [file.add(page.event)] : []),
            ...(isLast ? [file.end()] : []),
          ]
          const bytes = Buffer.concat(chunks)
          controller.enqueue(bytes)
          begin = []
          timer = setTimeout(() => source.disconnect(), timeToTakeMs(bytes.byteLength)).unref()
        },
        cancel() {
          isCancelled = true
          taken()
          source.end()
        },
      },
      { highWaterMark: 0 },
    )
  }

  #count(user_id: string, change: 1 | -1): void {
    const open = (this.#openByUser.get(user_id) ?? 0) + change
    if (open > 0) this.#openByUser.set(user_id, open)
    else this.#openByUser.delete(user_id)
  }
}
