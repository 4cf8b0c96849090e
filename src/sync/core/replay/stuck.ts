// An operation that the server cannot answer again and again, while it answers others of its kind: it is
// this operation, and not the server's bad day.
import type { Http } from '../api/http.ts'
import type { Operation, OperationError } from '../operation.ts'
import type { ApiCalls, Ports } from '../ports.ts'
import { readSent } from '../sent-log.ts'
import type { Caller } from '../session.ts'

const MAX_FAILURES = 20
const MIN_AGE_MS = 3_600_000

/** 401 is about the tokens, and not about the operation, unless other calls are answered with them. */
const isCounted = ({ status }: OperationError): boolean =>
  status >= 500 || [408, 409, 425, 429].includes(status)

/**
 * The failures of an operation with this one, or its denials where `isDenied`: an outage must not make one denial the
 * twentieth. `now`: device clock, epoch milliseconds.
 */
export function countFailure(
  operation: Operation,
  error: OperationError,
  now: number,
  isDenied?: boolean,
): Operation['failures'] {
  const failures = operation[isDenied ? 'denials' : 'failures']
  if (!isDenied && !isCounted(error)) return failures
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

/** Whether the server answers another call of this user now, as agreed. */
export async function answersOthers(http: Http, calls: ApiCalls, caller: Caller): Promise<boolean> {
  const call = Object.values(calls).find(({ identifies }) => identifies)
  const other = call && (await http.call(call, {}, { caller }))
  return other?.kind === 'answered'
}

/**
 * Whether a user has to decide: 20 failures over at least an hour, while the server confirmed another
 * operation of the same endpoint. `isForeign`: the last answer was a page or a redirect. While reads get
 * such answers too, nothing is sent, so here only this operation gets one. `denying`: `failures` are denials, and
 * another call is made: the session may be over since. Rejects when storage fails.
 */
export async function isStuck(
  operation: Operation,
  failures: Operation['failures'],
  { calls, clock, store }: Pick<Ports, 'calls' | 'clock' | 'store'>,
  isForeign?: boolean,
  denying?: Http | false,
): Promise<boolean> {
  const { endpoint, user_id } = operation
  const now = clock.now()
  if (!failures || failures.count < MAX_FAILURES || now - failures.since < MIN_AGE_MS) return false
  if (isForeign) return true
  if (denying) return await answersOthers(denying, calls, operation)
  const sent = await readSent(store, user_id, now)
  return sent.some(
    (one) => one.endpoint === endpoint && !one.given_up && Date.parse(one.sent_at) > failures.since,
  )
}
