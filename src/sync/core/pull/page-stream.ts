// Pages of `changes` that come in one answer, from a server with `changes-stream`. Loaded for downloads of several
// pages only.
import type { Http } from '../api/http.ts'
import type { Outcome } from '../api/outcome.ts'
import type { Cancellation } from '../change-subscription.ts'
import type { ApiCall, ServerEvent } from '../ports.ts'
import type { ReplicaRecord } from '../replica.ts'
import type { Caller } from '../session.ts'
import type { ChangesPage } from './event-changes.ts'

/** While as many pages wait to be stored, no further one is read. */
const MAX_WAITING = 4

/** The pages after a version, read ahead of what is stored. */
export class PageStream {
  readonly #http: Http
  readonly #call: ApiCall
  readonly #caller: Caller
  readonly #waiting: Outcome[] = []
  readonly #cancellation: Cancellation
  #isOver = false
  /** Whether this answer has brought a page. */
  #hasPages = false
  #change = Promise.withResolvers<void>()

  /** `cancellation` is given, so that the chunk with this module shares none with the engine. */
  constructor(
    http: Http,
    call: ApiCall,
    caller: Caller,
    since: number,
    cancellation: Cancellation,
  ) {
    this.#http = http
    this.#call = call
    this.#caller = caller
    this.#cancellation = cancellation
    void this.#open(since)
  }

  /**
   * The page after `since`, where the last one ended. An answer that broke off is followed by another one, and one that
   * brought nothing by single pages.
   */
  async read(since: number): Promise<Outcome> {
    let page = await this.#next()
    if (!page && this.#hasPages && !this.#cancellation.cancelled) {
      void this.#open(since)
      page = await this.#next()
    }
    return page ?? this.#http.call(this.#call, { query: { since } }, { caller: this.#caller })
  }

  async #open(since: number): Promise<void> {
    this.#isOver = false
    this.#hasPages = false
    const receive = async ({ type, data }: ServerEvent) => {
      if (type !== 'page') return
      const page = { status: 200, header: () => 'application/json', text: data }
      this.#add(this.#http.classify(this.#call, page))
      while (this.#waiting.length >= MAX_WAITING && !this.#isOver) await this.#change.promise
    }
    const query = { query: { since } }
    const outcome = await this.#http
      .stream(this.#call, this.#caller, receive, this.#cancellation, query)
      .catch(() => undefined)
    // A server that streams nothing has answered the one page that it was asked for.
    if (outcome?.kind === 'answered' && outcome.value) this.#add(outcome)
    this.#end()
  }

  #add(page: Outcome): void {
    this.#hasPages = true
    this.#waiting.push(page)
    this.#notify()
  }

  /**
   * The next page, joined with those that wait behind it: each page that is stored alone rewrites many buckets, and
   * sorts and renders the list. Undefined after the last page that has arrived.
   */
  async #next(): Promise<Outcome | undefined> {
    while (this.#waiting.length === 0 && !this.#isOver) await this.#change.promise
    let page = this.#waiting.shift()
    while (page && this.#waiting[0]) {
      const joined = joinPages(page, this.#waiting[0])
      if (!joined) break
      page = joined
      this.#waiting.shift()
    }
    this.#notify()
    return page
  }

  /** Reads no further page. */
  cancel(): void {
    this.#cancellation.cancel()
    this.#end()
  }

  #end(): void {
    this.#isOver = true
    this.#notify()
  }

  #notify(): void {
    const { resolve } = this.#change
    this.#change = Promise.withResolvers()
    resolve()
  }
}

/**
 * Both pages as one. Undefined where one cannot be read, or has deletions: a record of the other page may be deleted
 * with its owner, or be newer than its deletion.
 */
function joinPages(first: Outcome, second: Outcome): Outcome | undefined {
  if (first.kind !== 'answered' || second.kind !== 'answered') return undefined
  const [a, b] = [first.value, second.value] as [ChangesPage, ChangesPage]
  if (a.data.deleted.length > 0 || b.data.deleted.length > 0) return undefined
  const data = { ...a.data }
  for (const [name, records] of Object.entries(b.data))
    data[name] = [...(data[name] ?? []), ...records] as ReplicaRecord[]
  const unread = [...(first.unread ?? []), ...(second.unread ?? [])]
  return { kind: 'answered', value: { ...b, data }, ...(unread.length > 0 && { unread }) }
}
