// Queued changes of a user's own data (profile, consents), which belongs to no organisation.
import type { EndpointName } from '../../contract/endpoints.ts'
import { useEffect, useEffectEvent } from 'react'
import { sync } from '../sync/client.ts'
import { isEditable, type Operation } from '../sync/core/operation.ts'
import type { EndpointRow } from '../sync/core/ports.ts'
import { keepAnswer } from '../sync/react/keep-answer.ts'
import { queryClient } from '../sync/react/query-client.ts'
import { useOperations } from '../sync/react/use-sync.ts'
import { isCall } from './operations/operation-call.ts'

/** The pending operations of the endpoint `name`, in queue order. */
export const useOwnOperations = (name: EndpointName): readonly Operation[] =>
  useOperations().filter((operation) => isCall(operation, name))

/** Serialises changes: each must see the operation that the previous one queued. */
let lastQueued: Promise<unknown> = Promise.resolve()

/**
 * Queues a change through the endpoint `name`. Merges it with `merge` into a rejected operation, or
 * else into one that can still be edited. Queues a new operation if there is neither, or if one behind the rejected
 * operation sets the same fields, which would replace the correction. Deletes the stored `draft`.
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
    // It would replace the correction of the rejected one.
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
 * `own` with the operations applied in order, and with the answer of an acknowledged one, which may name a part of
 * the fields. A rejected operation is skipped.
 */
export const applyOwnOperations = <Own, Body>(
  own: Own,
  operations: readonly Operation[],
  change: (own: Own, body: Body) => Own,
): Own =>
  operations.reduce((now, { state, answer, input }) => {
    if (state === 'attention') return now
    const after = change(now, input.body as Body)
    return state === 'acknowledged' ? change(after, answer as Body) : after
  }, own)

/** Keeps what was acknowledged in the answer of the query, so that it stays after the operation is pruned. */
export function useCacheAnswers<Own, Body>(
  queryKey: readonly unknown[],
  operations: readonly Operation[],
  change: (own: Own, body: Body) => Own,
): void {
  const arrived = operations.filter(({ state }) => state === 'acknowledged')
  const keep = useEffectEvent(() => {
    const known = queryClient.getQueryData<Own>(queryKey)
    if (known !== undefined) void keepAnswer(queryKey, applyOwnOperations(known, arrived, change))
  })
  const last = arrived.at(-1)?.answer
  useEffect(() => {
    if (last !== undefined) keep()
  }, [last])
}
