// Many operations at once, and their undo. Apart from the client, as the first screen does not need it.
import { sync } from './client.ts'
import { authorOf } from './core/api/author.ts'
import type { Operation } from './core/operation.ts'
import type { CallInput, EndpointRow } from './core/ports.ts'
import type { Scope } from './core/replica.ts'

/** How long what was done with one press can be undone before it is sent, in milliseconds. */
export const UNDO_MS = 8_000

/** A call of the active organisation, to be enqueued. */
export interface NewCall {
  row: EndpointRow<CallInput, unknown>
  input: CallInput
  /** The record that it edits, as it was shown. */
  seen?: object
}

/**
 * Enqueues calls in one transaction: once this resolves all of them are saved on this device, and otherwise
 * none. Each is an operation of its own. They are not sent for `delayMs`. `draft` is deleted with it.
 * Rejects with StorageFullError when there is no room, and for the draft of another organisation.
 */
export async function enqueueAll(
  calls: readonly NewCall[],
  delayMs?: number,
  draft?: string[],
): Promise<Operation[]> {
  const { engine, names, requestBackgroundSync } = await sync().ready()
  const author = authorOf(engine.session.caller(), true, draft)
  const all = calls.map(({ row, input, seen }) => {
    const endpoint = names.get(row)
    if (endpoint === undefined) throw new Error('Not a call of the contract.')
    return { ...author, endpoint, input, seen: seen && { ...seen }, delayMs }
  })
  const operations = await engine.outbox.enqueueAll(all, draft)
  await engine.outboxChanged()
  requestBackgroundSync()
  return operations
}

/** Whether that organisation is the active one of that user. An undo may be pressed after a switch. */
export const isActive = ({ user_id, organisation_id }: Scope): boolean => {
  const session = sync().session.current()
  return session?.user.id === user_id && session.active_organisation?.id === organisation_id
}

/**
 * Removes operations that have not left; resolves to the removed ones. Those that an attempt has been
 * started for stay. Rejects when storage fails.
 */
export async function discardUnsent(ids: readonly string[]): Promise<Operation[]> {
  const engine = await sync().engine()
  const removed = await engine.outbox.discard(ids, true)
  await engine.outboxChanged()
  return removed
}
