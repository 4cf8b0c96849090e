// Refreshes the user and the active organisation at start-up (specification, section 2).
import { endpoints } from '../../../contract/endpoints.ts'
import { isCall } from '../../data/operations/operation-call.ts'
import { refreshOrganisation } from '../../data/organisations/refresh.ts'
import type { Session } from '../../sync/core/session-store.ts'
import { sync } from '../../sync/client.ts'

/** Requests both once. Failures are ignored and the stored values stay (specification, section 4). */
export async function loadIdentity(): Promise<void> {
  sync().operations.subscribe(adoptProfile)
  const session = sync().session.current()
  if (!session) return
  const { begin, update } = sync()
  const begun = begin()
  await Promise.allSettled([
    sync()
      .call(endpoints.getUserinfo, {})
      .then((user) => update(session.user.id, { user }, begun)),
    refreshOrganisation(),
  ])
}

let adoptedOperationId: string | undefined

/** Adopts the server's answer to a profile change as the current user. */
function adoptProfile() {
  for (const operation of sync().operations.get()) {
    const { id, state, answer, user_id } = operation
    if (!isCall(operation, 'updateUserinfo')) continue
    if (state !== 'acknowledged' || id === adoptedOperationId) continue
    adoptedOperationId = id
    if (answer) void sync().update(user_id, { user: answer as Session['user'] })
  }
}
