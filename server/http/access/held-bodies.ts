// Bodies of requests that have not been answered yet. Each stays in memory until then, and may be sent slowly, so their
// bytes are limited: of one user, of one network, and of all together.
import type { Context, MiddlewareHandler } from 'hono'
import { retryAfter } from '../../errors/http-error.ts'
import { bearerToken } from '../authenticate.ts'

const MIB = 2 ** 20
/** Of a user, or of all in a network who are not signed in. A device sends a few batches of 512 KiB at once. */
const MAX_OF_HOLDER = 8 * MIB
/** A network may be a whole office, most of whose requests are too small to be counted. */
const MAX_OF_NETWORK = 32 * MIB
const MAX_OF_ALL = 128 * MIB

/**
 * Counts what has arrived of the body of a request, until it is answered. Throws a 503 HttpError where too much is in
 * memory.
 */
type CountBody = (totalBytes: number) => void

declare module 'hono' {
  interface ContextVariableMap {
    /** In calls of the API. Absent in operations of a batch, whose bodies are parts of a counted one. */
    count_body: CountBody | undefined
  }
}

const tooMany = () =>
  retryAfter(503, 'Too many requests are being sent at once. Please try again.', 10)

/**
 * Lets the bodies of requests be counted. `userOf`: the user of an access token, once it was used: made-up tokens have
 * no limit of their own.
 */
export function limitBodies(
  networkOf: (context: Context) => string,
  userOf: (token: string) => string | undefined,
): MiddlewareHandler {
  const held = new Map<string, number>()
  const add = (holder: string, bytes: number): number => {
    const sum = (held.get(holder) ?? 0) + bytes
    if (sum > 0) held.set(holder, sum)
    else held.delete(holder)
    return sum
  }
  /** Who the bytes are counted for, with the most that each may hold. */
  function limitsOf(context: Context): [holder: string, max: number][] {
    const network = networkOf(context)
    const user = userOf(bearerToken(context.req.raw) ?? '')
    const holder = user === undefined ? `anyone in ${network}` : `user ${user}`
    return [
      [holder, MAX_OF_HOLDER],
      [`network ${network}`, MAX_OF_NETWORK],
      ['all', MAX_OF_ALL],
    ]
  }
  return async (context, next) => {
    let limits: ReturnType<typeof limitsOf> = []
    let size = 0
    context.set('count_body', (totalBytes) => {
      // By then the user of the token is known.
      if (size === 0) limits = limitsOf(context)
      const bytes = totalBytes - size
      size = totalBytes
      const isWithin = limits.map(([holder, max]) => add(holder, bytes) <= max)
      if (isWithin.includes(false)) throw tooMany()
    })
    try {
      await next()
    } finally {
      for (const [holder] of limits) add(holder, -size)
    }
  }
}
