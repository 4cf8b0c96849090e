// An operation that the server cannot answer again and again, while it answers others of its kind: it is
// this operation, and not the server's bad day.
import type { Operation, OperationError } from '../operation.ts'
import type { Ports } from '../ports.ts'
import { readSent } from '../sent-log.ts'

const MAX_FAILURES = 20
const MIN_AGE_MS = 3_600_000

/** 401 is about the tokens, and not about the operation. */
const isCounted = ({ status }: OperationError): boolean =>
  status >= 500 || [408, 409, 425, 429].includes(status)

/** The failures of an operation with this one. `now`: device clock, epoch milliseconds. */
export function countFailure(
  { failures }: Operation,
  error: OperationError,
  now: number,
): Operation['failures'] {
  if (!isCounted(error)) return failures
  // A clock that was set back says nothing about the time that has passed.
  const since = failures && failures.since <= now ? failures.since : now
  return { count: (failures?.count ?? 0) + 1, since }
}

/** Counted like a timeout that the server reports. */
export const NO_ANSWER: OperationError = { status: 408, message: '' }

/** In place of an error response: others than the server have answered, such as a proxy that holds it up. */
export const FOREIGN_ANSWER: OperationError = {
  status: 0,
  code: 'foreign_answer',
  message: '',
}

/**
 * Whether a user has to decide: 20 failures over at least an hour, while the server confirmed another
 * operation of the same endpoint. `isForeign`: the last answer was a page or a redirect. While reads get
 * such answers too, nothing is sent, so here only this operation gets one. Rejects when storage fails.
 */
export async function isStuck(
  { endpoint, user_id }: Operation,
  failures: Operation['failures'],
  { clock, store }: Pick<Ports, 'clock' | 'store'>,
  isForeign?: boolean,
): Promise<boolean> {
  const now = clock.now()
  if (!failures || failures.count < MAX_FAILURES || now - failures.since < MIN_AGE_MS) return false
  if (isForeign) return true
  const sent = await readSent(store, user_id, now)
  return sent.some(
    (one) => one.endpoint === endpoint && !one.given_up && Date.parse(one.sent_at) > failures.since,
  )
}
