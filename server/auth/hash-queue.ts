// Who may hash a password next. Hashing is the most expensive thing that anyone may ask for, so its queue is
// bounded, sign-ins are served before registrations, and networks take turns.
import { retryAfter } from '../errors/http-error.ts'

/** What a password is hashed for, and for which network (see network-address.ts). */
export interface HashRequest {
  purpose: 'sign-in' | 'registration'
  network: string
}

/** At most two run at once, because each takes 46 MiB and a core for a tenth of a second. */
const MAX_CONCURRENT = 2
/** About twenty are hashed in a second, so a request waits no longer than the app does. */
const MAX_WAITING = { 'sign-in': 400, registration: 20 }
const RETRY_SECONDS = 5

interface Waiting {
  start: () => void
  reject: (error: Error) => void
}

const busy = () => retryAfter(503, 'The server is busy. Please try again.', RETRY_SECONDS)

/** The waiting requests of one purpose, by network. */
class Line {
  readonly #max: number
  readonly #networks = new Map<string, Waiting[]>()
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Adds a request. When the line is full, the last one of the network with most requests is rejected. */
  add(network: string, waiting: Waiting): void {
    const own = this.#networks.get(network) ?? []
    own.push(waiting)
    this.#networks.set(network, own)
    this.#size += 1
    if (this.#size <= this.#max) return
    let longest = own
    for (const other of this.#networks.values()) if (other.length > longest.length) longest = other
    this.#size -= 1
    longest.pop()?.reject(busy())
  }

  /** Removes the next request: networks take turns. */
  next(): Waiting | undefined {
    for (const [network, queue] of this.#networks) {
      this.#networks.delete(network)
      const waiting = queue.shift()
      if (queue.length > 0) this.#networks.set(network, queue)
      if (!waiting) continue
      this.#size -= 1
      return waiting
    }
    return undefined
  }
}

const lines = {
  'sign-in': new Line(MAX_WAITING['sign-in']),
  registration: new Line(MAX_WAITING.registration),
}
let runningCount = 0

/** Runs `work` when it is its turn. Throws a 503 HttpError with `Retry-After` when too many are waiting. */
export async function hashInTurn<T>(
  { purpose, network }: HashRequest,
  work: () => Promise<T>,
): Promise<T> {
  if (runningCount < MAX_CONCURRENT) runningCount += 1
  else await new Promise<void>((start, reject) => lines[purpose].add(network, { start, reject }))
  try {
    return await work()
  } finally {
    const next = lines['sign-in'].next() ?? lines.registration.next()
    if (next) next.start()
    else runningCount -= 1
  }
}
