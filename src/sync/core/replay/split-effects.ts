// A server that changes no record by a note: the note is sent first, then what it changes, as an edit.
import type { Http } from '../api/http.ts'
import { UNATTEMPTED } from '../arrival/attempt.ts'
import { policyOf, upcast, type Operation } from '../operation.ts'
import type { Outbox } from '../outbox.ts'
import type { Ports, Transaction } from '../ports.ts'

/**
 * Replaces a note with effects by the note and an edit in one lane, or by the edit alone where it has no
 * text. Resolves to whether it did. Not for one that the server may have already. Rejects when storage
 * fails.
 */
export async function splitEffects(
  { http, outbox, ports }: { http: Http; outbox: Outbox; ports: Ports },
  { id, endpoint, attempts }: Operation,
): Promise<boolean> {
  const { calls, random } = ports
  const split = calls[endpoint]?.offlinePolicy?.withoutEffects
  if (!split || attempts > 1 || http.capabilities.has('effects')) return false
  const work = async (tx: Transaction) => {
    const operation = upcast(await tx.get('operations', id))
    const parts = operation?.state === 'pending' ? split(operation.input) : undefined
    if (!operation || !parts) return false
    const edit: Operation = {
      ...operation,
      id: random.id(),
      endpoint: parts.endpoint,
      input: parts.edit,
      lane: policyOf(calls, parts.endpoint).lane(parts.edit),
      seq: operation.seq + 0.5,
      ...UNATTEMPTED,
    }
    tx.put('operations', edit.id, edit)
    const note = { ...operation, base: undefined, input: parts.note, ...UNATTEMPTED }
    if (parts.note) tx.put('operations', id, note)
    else tx.delete('operations', id)
    return true
  }
  return await outbox.write(work, 'strict')
}
