// Stores the server's answers to changed notification settings, also after their screen was closed.
import type { NotificationConsents } from '../../../contract/schemas/settings.ts'
import { sync } from '../../sync/client.ts'
import { keepAnswer } from '../../sync/react/keep-answer.ts'
import { queryClient } from '../../sync/react/query-client.ts'
import { replicaOf } from '../../sync/react/query-options.ts'
import { isCall } from '../../data/operations/operation-call.ts'
import { consentsQuery, withConsents } from '../../data/profile.ts'
import { applyOwnOperations } from '../../data/queue-own-change.ts'

let kept: string | undefined

/** Applies the changes that have arrived to the stored answer, where there is one. Rejects when storage fails. */
export async function keepConsents(): Promise<void> {
  const user_id = sync().session.current()?.user.id ?? ''
  const arrived = sync()
    .operations.get()
    .filter(
      (one) =>
        isCall(one, 'updateNotificationConsents') &&
        one.state === 'acknowledged' &&
        one.user_id === user_id,
    )
  const last = arrived.at(-1)?.id
  if (last === undefined || last === kept) return
  kept = last
  const { queryKey } = consentsQuery()
  const replica = await replicaOf({ user_id, organisation_id: '' })
  const stored = await replica.getValue(String(queryKey.at(-1)))
  const known = queryClient.getQueryData(queryKey) ?? (stored as NotificationConsents | undefined)
  if (known) await keepAnswer(queryKey, applyOwnOperations(known, arrived, withConsents))
}
