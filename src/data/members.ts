// Members and invitations. Every call needs a network and throws a CallError without one.
import { endpoints } from '../../contract/endpoints.ts'
import type { Invite, InviteDraft } from '../../contract/schemas/invites.ts'
import type { ResourceName } from '../../contract/resources.ts'
import type { OrganisationUser } from '../../contract/schemas/people.ts'
import { ignoreTaken, sync } from '../sync/client.ts'
import { removeRecord } from '../sync/react/apply-changes.ts'
import { refreshOrganisation } from './organisations/refresh.ts'
import { queryOptions } from '@tanstack/react-query'

/**
 * Changes a member's role and pulls the result. Resolves to whether the server has kept the role. After an answer
 * without the member, or not as agreed, the list of members is read; its error is thrown unless the list has the role.
 */
export async function setRole(
  { user_id }: OrganisationUser,
  role: 'admin' | 'member',
): Promise<boolean> {
  const body = { user_id, role }
  let problem: unknown
  const answer = await sync()
    .call(endpoints.updateOrganisationUser, { path: { user_id }, body })
    .catch((error: unknown) => ignoreTaken((problem = error)))
  // Refresh the session too: the user's own role decides what screens offer.
  await Promise.allSettled([sync().syncNow(), refreshOrganisation()])
  let kept = answer?.pivot.role
  if (!kept) {
    const replica = (await sync().engine()).activeReplica()
    const members = await replica?.collection('organisation_users')
    const member = members?.find((one) => one.user_id === user_id) as OrganisationUser | undefined
    kept = member?.pivot.role
  }
  const isKept = (kept === 'admin') === (role === 'admin')
  if (problem !== undefined && !isKept) throw problem
  return isKept
}

/** Removes a member from the organisation; `heir_id` takes over the work. */
export async function removeMember(
  { id }: OrganisationUser,
  heir_id: string | undefined,
): Promise<void> {
  await sync().call(endpoints.deleteOrganisationUser, { path: { id }, query: { heir_id } })
  await removeRecord('organisation_users' satisfies ResourceName, id)
  // What was handed over, and the name that stays.
  void sync().syncNow()
  void refreshOrganisation()
}

/** Sends an invitation. An answer without it counts as sent, because a repeat would send a second mail. */
export async function invite(body: InviteDraft): Promise<void> {
  await sync().call(endpoints.createOrganisationInvite, { body }).catch(ignoreTaken)
}

/** Revokes an invitation; its link stops working. */
export const revokeInvite = ({ id }: Invite): Promise<undefined> =>
  sync().call(endpoints.deleteOrganisationInvite, { path: { id } })

/**
 * Open invitations to the active organisation, newest first. Needs a network; not stored on the
 * device.
 */
export function invitesQuery() {
  const session = sync().session.current()
  return queryOptions({
    queryKey: [session?.user.id ?? '', session?.active_organisation?.id ?? '', 'invites'],
    gcTime: 0,
    queryFn: async () => {
      const query = { per_page: 500, sort: '-created_at' } as const
      const { data } = await sync().call(endpoints.listOrganisationInvites, { query })
      return data.filter(({ status }) => status !== 'accepted')
    },
  })
}
