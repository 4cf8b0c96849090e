// Queued changes of a user's own data (profile, consents), which belongs to no organisation.
import type { EndpointName } from '../../contract/endpoints.ts'
import { useEffect } from 'react'
import { sync } from '../sync/client.ts'
import { isEditable, type Operation } from '../sync/core/operation.ts'
import type { EndpointRow } from '../sync/core/ports.ts'
import { keepAnswer } from '../sync/react/keep-answer.ts'
import { useOperations } from '../sync/react/use-sync.ts'
import { isCall } from './operations/operation-call.ts'

/** The pending operations of the endpoint `name`, in queue order. */
export const useOwnOperations = (name: EndpointName): readonly Operation[] =>
  useOperations().filter((operation) => isCall(operation, name))

/** Serialises changes: each must see the operation that the previous one queued. */
let lastQueued: Promise<unknown> = Promise.resolve()

/**
 * Queues a change through the endpoint `name`. Merges it with `merge` into a rejected operation, or
 * else into one that can still be edited; queues a new operation if there is neither, and behind one that would
 * replace what corrects the rejected one. Deletes the stored `draft`.
 */
export function queueOwnChange<Body extends object>(
  name: EndpointName,
  row: EndpointRow<{ body: Body }, unknown>,
  body: Body,
  merge: (before: Body, after: Body) => Body,
  draft?: string[],
): Promise<void> {
  const enqueue = async () => {
    const user = sync().session.current()?.user.id
    const operations = sync().operations.get()
    const pending = operations.filter(
      (operation) => isCall(operation, name) && operation.user_id === user,
    )
    const rejected = pending.find(({ state }) => state === 'attention')
    // It would replace what corrects the rejected one.
    const isSetLater = pending.some(
      ({ seq, state, input }) =>
        rejected &&
        seq > rejected.seq &&
        state !== 'acknowledged' &&
        Object.keys(body).some((name) => name in (input.body as Body)),
    )
    const before = rejected ?? pending.findLast(isEditable)
    if (before) {
      const merged = merge(before.input.body as Body, body)
      const replaced = isSetLater ? undefined : draft
      const edited = await sync().outbox.edit(before.id, merged, undefined, replaced)
      if (edited && !isSetLater) return
    }
    await sync().enqueue(row, { body }, undefined, draft)
  }
  const result = lastQueued.then(enqueue, enqueue)
  lastQueued = result
  return result
}

/**
 * `own` with the operations applied in order. A rejected operation is skipped; the answer of an
 * acknowledged one replaces the whole value.
 */
export const applyOwnOperations = <Own, Body>(
  own: Own,
  operations: readonly Operation[],
  change: (own: Own, body: Body) => Own,
): Own =>
  operations.reduce((now, { state, answer, input }) => {
    if (state === 'attention') return now
    return state === 'acknowledged' ? (answer as Own) : change(now, input.body as Body)
  }, own)

/** Keeps the last acknowledged answer as the query's, so that it stays after the operation is pruned. */
export function useCacheAnswers(
  queryKey: readonly unknown[],
  operations: readonly Operation[],
): void {
  const answer = operations.findLast(({ state }) => state === 'acknowledged')?.answer
  const key = JSON.stringify(queryKey)
  useEffect(() => {
    if (answer !== undefined) void keepAnswer(JSON.parse(key) as unknown[], answer)
  }, [key, answer])
}
