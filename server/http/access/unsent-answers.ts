// Answers that their clients have not read yet. Each stays in memory until then, so their bytes are limited: of one
// session, of one network, and of all together. So is the time in which they have to be read.
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
const MAX = { session: 16 * MIB, network: 64 * MIB, all: 128 * MIB }

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

/**
 * Refuses with 503 and `Retry-After` a read whose answer would exceed these limits, and any other call, before it is
 * made, while the answers of its session do.
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
    // The limit of the network does not count: other users of it may be the ones that do not read.
    if (!isRead && session.some((one) => isFull(one, WRITE_BYTES))) throw tooMany()
    const counted = [network, ...session, ['all', MAX.all] as const]
    const mayWait = (bytes: number) => !counted.some((one) => isFull(one, bytes))
    const count = (bytes: number) => {
      for (const [name] of counted) add(name, bytes)
      return () => {
        for (const [name] of counted) add(name, -bytes)
      }
    }
    context.set('count_unsent', (bytes) => {
      if (bytes <= SMALL_BYTES) return () => undefined
      return mayWait(bytes) ? count(bytes) : undefined
    })
    await next()
    const bytes = Number(context.res.headers.get('Content-Length') ?? 0)
    if (bytes <= SMALL_BYTES || context.req.method === 'HEAD' || !outgoing) return
    // Its `close` event is over, so the count would never end.
    if (outgoing.destroyed) return
    if (isRead && !mayWait(bytes)) {
      // Otherwise Hono keeps the headers of the answer, such as its length.
      context.res = undefined
      context.res = errorResponse(tooMany(), context.get('request_id'))
      return
    }
    const end = count(bytes)
    // It may wait for another answer on its connection, so that it cannot be ended alone.
    const disconnect = () => outgoing.req.socket.destroy()
    const timer = setTimeout(disconnect, timeToTakeMs(bytes)).unref()
    outgoing.once('close', () => {
      clearTimeout(timer)
      end()
    })
  }
}
