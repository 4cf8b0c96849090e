// Whether a server of another origin accepts writes of this origin. A rejected preflight looks like a lost
// request, and the app searches for a write that may be lost for minutes before it repeats it.
import { UNANSWERED_WRITES } from '../connection.ts'
import type { ApiCalls } from '../ports.ts'
import type { Caller } from '../session.ts'
import type { Http } from './http.ts'

/** With this type of content a read needs the same headers to be allowed as a POST. */
const AS_WRITE = { 'Content-Type': 'application/json' }

/**
 * To be called when a POST got no answer: makes reads with the headers of a write, in turn with ordinary reads,
 * until the result of one differs from what the connection expects. Those without an answer count as lost
 * writes, so that a server that accepts none is recognised at once. Changes nothing on the server. Rejects when
 * storage fails.
 */
export async function checkWrites(http: Http, calls: ApiCalls, caller: Caller): Promise<void> {
  const read = Object.values(calls).find(({ identifies }) => identifies)
  if (!read) return
  for (let count = 0; count < UNANSWERED_WRITES; count += 1) {
    if (!(await http.reachesServer())) return
    const call = { ...read, isWriteCheck: true as const }
    const { kind } = await http.call(call, {}, { caller, headers: AS_WRITE })
    if (kind !== 'unreachable') return
  }
  await http.reachesServer()
}
