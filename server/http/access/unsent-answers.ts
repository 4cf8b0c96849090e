// Answers that their clients have not read yet. Each stays in memory until then, so their bytes are limited: of one
// user, of one network, and of all together. So is the time in which they have to be read.
import type { ServerResponse } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { retryAfter } from '../../errors/http-error.ts'
import { bearerToken } from '../authenticate.ts'
import { errorResponse } from '../to-http-error.ts'

const MIB = 2 ** 20
/** Answers up to this size fit into the buffers of the system: not counted, so that a sign-in is always answered. */
const SMALL_BYTES = 16 * 1024
/** About the largest answer to a write. */
const WRITE_BYTES = MIB

/** A device on a line of 50 kbit/s can read three answers at a time at this rate. */
const MIN_BYTES_PER_SECOND = 2_048
const GRACE_MS = 60_000

/** A client that has not read so many bytes after this time is disconnected, also if it reads a few now and then. */
export const timeToTakeMs = (bytes: number): number =>
  GRACE_MS + (bytes / MIN_BYTES_PER_SECOND) * 1_000

/** The answer on its connection; undefined where a test has none. */
export const outgoingOf = ({ env }: Context): ServerResponse | undefined =>
  ((env ?? {}) as { outgoing?: ServerResponse }).outgoing

/**
 * How many bytes may wait. The first answer may have any size: pages of lists have at most 16 MiB. A network may be a
 * whole office.
 */
const MAX = { holder: 16 * MIB, network: 64 * MIB, all: 128 * MIB }

/**
 * Counts bytes of an answer without a length; returns what ends that, to be called once, or undefined where too many
 * wait.
 */
export type CountUnsent = (bytes: number) => (() => void) | undefined

declare module 'hono' {
  interface ContextVariableMap {
    /** In calls of the API. */
    count_unsent: CountUnsent
  }
}

const tooMany = () =>
  retryAfter(503, 'Too many answers have not been read yet. Please try again.', 10)

/** An answer that waits for its reader. */
interface Waiting {
  /** Its user, however many sessions; without a known one the token or the network. */
  holder: string
  network: string
  bytes: number
  /** What was written cannot be taken back, so its answer is not ended to make room. */
  isOfWrite: boolean
  /** Ends it unread. */
  disconnect: () => void
}

const sumOf = (answers: readonly Waiting[]) => answers.reduce((sum, { bytes }) => sum + bytes, 0)

class WaitingAnswers {
  readonly #answers = new Set<Waiting>()

  /** Whether those of the holder leave no room for so many more bytes. */
  isFull(holder: string, bytes: number): boolean {
    const sum = sumOf(this.#those((one) => one.holder === holder))
    return sum > 0 && sum + bytes > MAX.holder
  }

  /** Counts an answer; returns what ends that. */
  add(answer: Waiting): () => void {
    this.#answers.add(answer)
    return () => void this.#answers.delete(answer)
  }

  /**
   * As `add`, within the limits; undefined where too much waits. No holder keeps the others out: where the network, or
   * all together, have too much, the largest answers of those who have more than this one are ended.
   */
  addWithin(answer: Waiting): (() => void) | undefined {
    const { holder, network, bytes } = answer
    if (this.isFull(holder, bytes)) return undefined
    const inNetwork = this.#those((one) => one.network === network)
    const ended = toEnd(inNetwork, answer, MAX.network)
    const others = ended && this.#those((one) => !ended.includes(one))
    const more = others && toEnd(others, answer, MAX.all)
    // An answer that is refused in any case must not end others.
    if (!ended || !more) return undefined
    for (const one of [...ended, ...more]) {
      this.#answers.delete(one)
      one.disconnect()
    }
    return this.add(answer)
  }

  #those(condition: (one: Waiting) => boolean): Waiting[] {
    return [...this.#answers].filter(condition)
  }
}

/** Which of these answers have to end so that another has room beside the rest; undefined where that makes no room. */
function toEnd(
  answers: readonly Waiting[],
  { holder, bytes }: Waiting,
  max: number,
): Waiting[] | undefined {
  const ended: Waiting[] = []
  let rest = answers
  while (rest.length > 0 && sumOf(rest) + bytes > max) {
    const byHolder = Map.groupBy(rest, (one) => one.holder)
    const most = [...byHolder.values()]
      .filter((those) => !those.every(({ isOfWrite }) => isOfWrite))
      .reduce<Waiting[]>((a, b) => (sumOf(b) > sumOf(a) ? b : a), [])
    if (sumOf(most) <= sumOf(byHolder.get(holder) ?? []) + bytes) return undefined
    const largest = most
      .filter(({ isOfWrite }) => !isOfWrite)
      .reduce((a, b) => (b.bytes > a.bytes ? b : a))
    ended.push(largest)
    rest = rest.filter((one) => one !== largest)
  }
  return ended
}

/**
 * Refuses with 503 and `Retry-After` a read whose answer would exceed these limits, and any other call, before it is
 * made, while the answers of its user do. `userOf`: the user of an access token, once it was used.
 */
export function limitUnsent(
  networkOf: (context: Context) => string,
  userOf: (token: string) => string | undefined,
): MiddlewareHandler {
  const waiting = new WaitingAnswers()
  return async (context, next) => {
    const outgoing = outgoingOf(context)
    const isRead = ['GET', 'HEAD'].includes(context.req.method)
    const network = networkOf(context)
    const token = bearerToken(context.req.raw)
    // Asked for each time: the token may be used for the first time.
    const holderOf = () =>
      token === undefined ? `network ${network}` : (userOf(token) ?? `token ${token}`)
    // The limit of the network does not count: other users of it may be the ones that do not read.
    if (!isRead && token !== undefined && waiting.isFull(holderOf(), WRITE_BYTES)) throw tooMany()
    // It may wait for another answer on its connection, so that it cannot be ended alone.
    const disconnect = () => void outgoing?.req.socket.destroy()
    const answerOf = (bytes: number): Waiting => ({
      holder: holderOf(),
      network,
      bytes,
      isOfWrite: !isRead,
      disconnect,
    })
    context.set('count_unsent', (bytes) =>
      bytes <= SMALL_BYTES ? () => undefined : waiting.addWithin(answerOf(bytes)),
    )
    await next()
    const bytes = Number(context.res.headers.get('Content-Length') ?? 0)
    if (bytes <= SMALL_BYTES || context.req.method === 'HEAD' || !outgoing) return
    // Its `close` event is over, so the count would never end.
    if (outgoing.destroyed) return
    const answer = answerOf(bytes)
    const end = isRead ? waiting.addWithin(answer) : waiting.add(answer)
    if (!end) {
      // Otherwise Hono keeps the headers of the answer, such as its length.
      context.res = undefined
      context.res = errorResponse(tooMany(), context.get('request_id'))
      return
    }
    const timer = setTimeout(disconnect, timeToTakeMs(bytes)).unref()
    outgoing.once('close', () => {
      clearTimeout(timer)
      end()
    })
  }
}
