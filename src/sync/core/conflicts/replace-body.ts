// Replaces the body of an operation that the server does not have.
import { PENDING, UNATTEMPTED } from '../arrival/attempt.ts'
import { aliasesAt, resolveWritten } from '../arrival/aliases.ts'
import { creatorsOf, findDependencies } from '../replay/dependencies.ts'
import { baseOf } from './three-way-merge.ts'
import { isEditable, policyOf, readOperations, upcast, type Operation } from '../operation.ts'
import type { Ports, Transaction } from '../ports.ts'
import { logDiscarded } from '../sent-log.ts'

/** See `Outbox.edit`. In a transaction over `operations`, `session` and `cache`. */
export async function replaceBody(
  tx: Transaction,
  id: string,
  body: unknown,
  seen: Record<string, unknown> | undefined,
  ports: Pick<Ports, 'api' | 'calls' | 'clock' | 'random'>,
): Promise<Operation | undefined> {
  const { api, calls, random } = ports
  const operation = upcast(await tx.get('operations', id))
  if (!operation || !isEditable(operation)) return undefined
  const input = { ...operation.input, body }
  const previous = { ...operation.base?.fields, ...operation.base }
  const [queued, aliases] = await Promise.all([readOperations(tx), aliasesAt(tx, api())])
  const replaced: Operation = {
    ...operation,
    id: random.id(),
    input,
    base: baseOf(policyOf(calls, operation.endpoint), input, seen ?? previous),
    ...PENDING,
    ...UNATTEMPTED,
    // What can be undone until then stays so.
    not_before: operation.state === 'pending' ? operation.not_before : 0,
  }
  const creators = creatorsOf(queued, calls)
  const resolved = resolveWritten(replaced, aliases, creators, calls)
  // The new body may reference other records that are not on the server yet.
  const edited = {
    ...resolved,
    depends_on: findDependencies(resolved, creators, calls),
  }
  // The server may have the previous values of one that it has rejected since.
  await logDiscarded(tx, [operation], ports)
  tx.delete('operations', id)
  tx.put('operations', edited.id, edited)
  for (const other of queued)
    if (other.depends_on.includes(id))
      tx.put('operations', other.id, {
        ...other,
        depends_on: other.depends_on.map((one) => (one === id ? edited.id : one)),
      })
  return edited
}
