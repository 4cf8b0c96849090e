// Who may hash a password next. Hashing is the most expensive thing that anyone may ask for, so its queue is
// bounded, sign-ins are served before registrations, and networks take turns.
import { retryAfter } from '../../errors/http-error.ts'
import { WaitingLine } from '../waiting-line.ts'

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

const busy = () => retryAfter(503, 'The server is busy. Please try again.', RETRY_SECONDS)

const lines = {
  'sign-in': new WaitingLine(MAX_WAITING['sign-in']),
  registration: new WaitingLine(MAX_WAITING.registration),
}
let runningCount = 0

/** Runs `work` when it is its turn. Throws a 503 HttpError with `Retry-After` when too many are waiting. */
export async function hashInTurn<T>(
  { purpose, network }: HashRequest,
  work: () => Promise<T>,
): Promise<T> {
  if (runningCount < MAX_CONCURRENT) runningCount += 1
  else
    await new Promise<void>((start, reject) => {
      lines[purpose].add(network, { start, refuse: () => reject(busy()) })
    })
  try {
    return await work()
  } finally {
    const next = lines['sign-in'].next() ?? lines.registration.next()
    if (next) next.start()
    else runningCount -= 1
  }
}
