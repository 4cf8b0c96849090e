// Answers that their clients have not read yet. Each stays in memory until then, so their bytes are limited: of one
// session, of one network, and of all together. So is the time in which they have to be read.
import type { ServerResponse } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { retryAfter } from '../../errors/http-error.ts'
import { bearerToken } from '../authenticate.ts'
import { errorResponse } from '../to-http-error.ts'

const MIB = 2 ** 20
/** So little fits into the buffers of the system. Without them small answers always go, such as that to a sign-in. */
const SMALL_BYTES = 16 * 1024
/** That of a write has at most about so many. */
const WRITE_BYTES = MIB

/** A line of 50 kbit/s takes three answers at a time at this rate. */
const MIN_BYTES_PER_SECOND = 2_048
const GRACE_MS = 60_000

/** After this time a client that has not taken so many bytes is disconnected, though it takes some now and then. */
export const timeToTakeMs = (bytes: number): number =>
  GRACE_MS + (bytes / MIN_BYTES_PER_SECOND) * 1_000

/** The answer on its connection; undefined where a test has none. */
export const outgoingOf = ({ env }: Context): ServerResponse | undefined =>
  ((env ?? {}) as { outgoing?: ServerResponse }).outgoing

/**
 * How many bytes may wait. An answer that nothing waits beside may have any size; the pages of a list have at most
 * 4 MiB, and an office may be one network.
 */
const MAX = { session: 16 * MIB, network: 64 * MIB, all: 128 * MIB }

const tooMany = () =>
  retryAfter(503, 'Too many answers have not been read yet. Please try again.', 10)

/**
 * Refuses reads whose answers are too many to wait, and other calls before they are made, while their session does not
 * read: 503 with `Retry-After`.
 */
export function limitUnsent(networkOf: (context: Context) => string): MiddlewareHandler {
  const waiting = new Map<string, number>()
  const add = (name: string, bytes: number) => {
    const sum = (waiting.get(name) ?? 0) + bytes
    if (sum > 0) waiting.set(name, sum)
    else waiting.delete(name)
  }
  const isFull = ([name, max]: readonly [string, number], bytes: number) => {
    const sum = waiting.get(name) ?? 0
    return sum > 0 && sum + bytes > max
  }
  return async (context, next) => {
    const outgoing = outgoingOf(context)
    const isRead = ['GET', 'HEAD'].includes(context.req.method)
    const network = [`network ${networkOf(context)}`, MAX.network] as const
    const token = bearerToken(context.req.raw)
    const session = token === undefined ? [] : [[`session ${token}`, MAX.session] as const]
    // Not for what others of its network do not read.
    if (!isRead && session.some((one) => isFull(one, WRITE_BYTES))) throw tooMany()
    await next()
    const bytes = Number(context.res.headers.get('Content-Length') ?? 0)
    if (bytes <= SMALL_BYTES || context.req.method === 'HEAD' || !outgoing) return
    // It has closed already, so that nothing would end its count.
    if (outgoing.destroyed) return
    const counted = [network, ...session, ['all', MAX.all] as const]
    if (isRead && counted.some((one) => isFull(one, bytes))) {
      // Otherwise Hono keeps the headers of the answer, such as its length.
      context.res = undefined
      context.res = errorResponse(tooMany(), context.get('request_id'))
      return
    }
    for (const [name] of counted) add(name, bytes)
    // It may wait for another answer on its connection, so that it cannot be ended alone.
    const disconnect = () => outgoing.req.socket.destroy()
    const timer = setTimeout(disconnect, timeToTakeMs(bytes)).unref()
    outgoing.once('close', () => {
      clearTimeout(timer)
      for (const [name] of counted) add(name, -bytes)
    })
  }
}
