// What the device stores of a user, and what of it ends with the session.
import { laneOf } from '../conflicts/comparable.ts'
import { editOf, readOperations, type Operation } from '../operation.ts'
import type { ApiCalls, Ports, Transaction } from '../ports.ts'
import type { Ending } from '../replay/revocations.ts'
import { readLog, type SentEntry } from '../sent-log.ts'
import { readSession } from '../session-store.ts'
import { isOneServer, isSameServer } from './address.ts'
import { forgetCapabilities } from './capabilities.ts'
import { deleteDrafts } from './sealed-drafts.ts'

/**
 * Deletes the readable data of a user from the device: replicas, acknowledged operations and the log of sent
 * ones. Waiting edits keep what they need of that log.
 */
export async function wipeUserData(
  tx: Transaction,
  user_id: string,
  { calls, api }: Pick<Ports, 'calls' | 'api'>,
): Promise<void> {
  const session = await readSession(tx)
  const own = (await readOperations(tx)).filter(
    // What it has sent, it has sent to the server of its session.
    (one) => one.user_id === user_id && isOneServer(api(), one.api, session.api),
  )
  const acknowledged = own.filter(({ state }) => state === 'acknowledged')
  const sent = [...acknowledged, ...(await readLog(tx, user_id))]
  tx.deleteAll('cache', [user_id])
  forgetCapabilities(tx, user_id)
  for (const one of own)
    if (one.state === 'acknowledged') tx.delete('operations', one.id)
    else tx.put('operations', one.id, withOwnValues(one, sent, calls))
}

/** The same at a sign-out, with what else its kind deletes: drafts survive a forced one. */
export async function wipeAtSignOut(
  tx: Transaction,
  user_id: string,
  ports: Ports,
  { forced, isLost = false, silentDays, unsent = 'keep' }: Ending & { forced: boolean },
): Promise<void> {
  if (unsent === 'discard')
    for (const one of await readOperations(tx))
      if (one.user_id === user_id && isSameServer(ports.api(), one.api))
        tx.delete('operations', one.id)
  await wipeUserData(tx, user_id, ports)
  if (isLost || silentDays !== undefined) tx.deleteAll('drafts', [user_id])
  else if (!forced) await deleteDrafts(tx, user_id)
}

/**
 * The edit with the values of its fields that this device has sent in `sent`, for when that log is deleted.
 */
function withOwnValues(
  operation: Operation,
  sent: readonly (Operation | SentEntry)[],
  calls: ApiCalls,
): Operation {
  const { base } = operation
  const edited = editOf(operation, calls)
  if (!base || !edited) return operation
  const own = { ...base.own }
  for (const one of sent) {
    if (laneOf(one, calls) !== operation.lane) continue
    const { fields = {} } = editOf(one, calls) ?? {}
    for (const name of Object.keys(base.fields))
      if (fields[name] !== undefined) own[name] = [...(own[name] ?? []), fields[name]]
  }
  return { ...operation, base: { ...base, own } }
}
