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
 * else into one that can still be edited; queues a new operation if there is neither, or behind the rejected
 * one where a waiting operation would replace it. Deletes the stored `draft`.
 */
export function queueOwnChange<Body extends object>(
  name: EndpointName,
  row: EndpointRow<{ body: Body }, unknown>,
  body: Body,
  merge: (before: Body, after: Body) => Body,
  draft?: string[],
): Promise<void> {
  /** Makes the change part of another one; resolves to whether that is possible. */
  async function include(other: Operation | undefined, replaced: string[] | undefined) {
    if (!other) return false
    const merged = merge(other.input.body as Body, body)
    return (await sync().outbox.edit(other.id, merged, undefined, replaced)) !== undefined
  }

  const enqueue = async () => {
    const user = sync().session.current()?.user.id
    const operations = sync().operations.get()
    const pending = operations.filter(
      (operation) => isCall(operation, name) && operation.user_id === user,
    )
    const rejected = pending.find(({ state }) => state === 'attention')
    // It would replace what corrects the rejected one.
    const later =
      rejected &&
      pending.findLast(
        ({ seq, state, input }) =>
          seq > rejected.seq &&
          state !== 'acknowledged' &&
          Object.keys(body).some((name) => name in (input.body as Body)),
      )
    const before = rejected ?? pending.findLast(isEditable)
    const isDone = await include(before, later ? undefined : draft)
    if (later ? await include(later, draft) : isDone) return
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
