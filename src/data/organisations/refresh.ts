// The active organisation as the server last sent it.
import { endpoints } from '../../../contract/endpoints.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import { sync } from '../../sync/client.ts'

/**
 * Refreshes the active organisation in the session (plan, own role). Resolves to whether the server has
 * answered.
 */
export async function refreshOrganisation(): Promise<boolean> {
  const id = sync().session.current()?.active_organisation?.id
  if (id === undefined) return false
  const begun = sync().begin()
  const now = await sync()
    .call(endpoints.getOrganisation, { path: { id } })
    .catch(() => undefined)
  if (now) await adoptOrganisation(now, begun)
  return now !== undefined
}

/**
 * Stores the active organisation in the session; `begun`: see `SyncClient.update`. Some servers name the own role
 * and the owner in lists alone.
 */
export async function adoptOrganisation(now: Organisation, begun?: number): Promise<void> {
  const session = sync().session.current()
  if (!session) return
  const { user } = session
  const known = session.active_organisation as Partial<Organisation> | null
  const organisation = { ...now, user_id: now.user_id || (known?.user_id ?? '') }
  if (now.pivot.role === '') {
    const replica = (await sync().engine()).activeReplica()
    const members = (await replica?.collection('organisation_users')) as
      | OrganisationUser[]
      | undefined
    const own = members?.find(({ user_id, pivot }) => user_id === user.id && pivot.role !== '')
    organisation.pivot = (own ?? known)?.pivot ?? now.pivot
  }
  await sync().update(user.id, { active_organisation: organisation }, begun)
}
