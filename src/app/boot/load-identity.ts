// Refreshes the user and the active organisation at start-up (specification, section 2).
import { endpoints } from '../../../contract/endpoints.ts'
import { isCall } from '../../data/operations/operation-call.ts'
import { refreshOrganisation } from '../../data/organisations/refresh.ts'
import { sync } from '../../sync/client.ts'

/** Requests both once. Failures are ignored and the stored values stay (specification, section 4). */
export async function loadIdentity(): Promise<void> {
  sync().operations.subscribe(adoptProfile)
  sync().operations.subscribe(adoptConsents)
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

/** Keeps the server's answers to changed notification settings, whose screen may be closed by then. */
function adoptConsents() {
  const hasArrived = sync()
    .operations.get()
    .some((one) => one.state === 'acknowledged' && isCall(one, 'updateNotificationConsents'))
  if (hasArrived)
    void import('./keep-consents.ts').then((it) => it.keepConsents()).catch(() => undefined)
}

let adoptedOperationId: string | undefined

/** Adopts changes of the profile that have arrived: what was asked for, and what the server answered. */
function adoptProfile() {
  const user = sync().session.current()?.user
  const arrived = sync()
    .operations.get()
    .filter(
      (one) =>
        isCall(one, 'updateUserinfo') && one.state === 'acknowledged' && one.user_id === user?.id,
    )
  const last = arrived.at(-1)?.id
  if (!user || !last || last === adoptedOperationId) return
  adoptedOperationId = last
  const fields = arrived.flatMap(({ input, answer }) => [input.body, answer])
  void sync().update(user.id, { user: Object.assign({}, user, ...fields) as typeof user })
}
