// What is a user's own and no record of an organisation: the profile, what mails they want.
import type { EndpointName } from '../../contract/endpoints.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sync } from '../sync/client.ts'
import { isEditable, type Operation } from '../sync/core/operation.ts'
import type { EndpointRow } from '../sync/core/ports.ts'
import { useOperations } from '../sync/react/use-sync.ts'
import { isCall } from './operations/operation-call.ts'

/** What was said by the call `name` of the table and is not settled yet, in the order of saying. */
export const useOwnOperations = (name: EndpointName): readonly Operation[] =>
  useOperations().filter((one) => isCall(one, name))

/** What was said last: the next change is said after it, or it would not know what waits. */
let lastQueued: Promise<unknown> = Promise.resolve()

/**
 * Says a change by the call `name` of the table: together with one that can still be said differently,
 * the refused one first, else as one of its own. `merge` makes one body of two.
 */
export function queueOwnChange<Body extends object>(
  name: EndpointName,
  row: EndpointRow<{ body: Body }, unknown>,
  body: Body,
  merge: (before: Body, after: Body) => Body,
): Promise<void> {
  const enqueue = async () => {
    const user = sync().session.current()?.user.id
    const operations = sync().operations.get()
    const pending = operations.filter((one) => isCall(one, name) && one.user_id === user)
    const before =
      pending.find(({ state }) => state === 'attention') ?? pending.findLast(isEditable)
    if (before) {
      const whole = merge(before.input.body as Body, body)
      if (await sync().outbox.edit(before.id, whole)) return
    }
    await sync().enqueue(row, { body })
  }
  const result = lastQueued.then(enqueue, enqueue)
  lastQueued = result
  return result
}

/**
 * What the server said with everything said here since. A refused change changes nothing; an answer is
 * the whole of it.
 */
export const applyOwnOperations = <Own, Body>(
  own: Own,
  said: readonly Operation[],
  change: (own: Own, body: Body) => Own,
): Own =>
  said.reduce((now, { state, answer, input }) => {
    if (state === 'attention') return now
    return state === 'acknowledged' ? (answer as Own) : change(now, input.body as Body)
  }, own)

/** Keeps what a query shows as the server last answered, also after the operation has left. */
export function useCacheAnswers(queryKey: readonly unknown[], said: readonly Operation[]): void {
  const queries = useQueryClient()
  const answer = said.findLast(({ state }) => state === 'acknowledged')?.answer
  const key = JSON.stringify(queryKey)
  useEffect(() => {
    if (answer !== undefined) queries.setQueryData(JSON.parse(key) as unknown[], answer)
  }, [queries, key, answer])
}
