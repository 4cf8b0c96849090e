// Whether a server of another origin takes writes of this one. A refused preflight looks like a lost
// request, and a write that may be lost is looked for, for minutes, before it is sent again.
import { UNANSWERED_WRITES } from '../connection.ts'
import type { ApiCalls } from '../ports.ts'
import type { Caller } from '../session.ts'
import type { Http } from './http.ts'

/** With this type of content a read needs the same headers to be allowed as a POST. */
const AS_WRITE = { 'Content-Type': 'application/json' }

/**
 * To be called when a POST got no answer: reads as a write does, in turn with ordinary reads, until one of
 * them is answered otherwise than the connection expects. It counts the unanswered ones as lost writes, so
 * that a server that takes none is recognised at once. Has no effect on the server. Rejects when storage
 * fails.
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
