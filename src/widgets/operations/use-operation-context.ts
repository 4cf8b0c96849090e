import { useQuery } from '@tanstack/react-query'
import { isOwner } from '../../../contract/roles.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { membersByUserQuery, organisationsQuery } from '../../data/organisations/queries.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import type { OperationContext } from './rejection-reasons.ts'
import { operationMessages as messages } from '../../data/operations/messages.ts'

/** The operation's organisation: its name, whether it is active, and who can help there. */
export function useOperationContext({
  organisation_id,
}: Pick<Operation, 'organisation_id'>): OperationContext & { is_here: boolean } {
  const current = useCurrentSession()
  const here = current?.organisation ?? null
  const is_here = organisation_id === null || organisation_id === here?.id
  const members = useQuery(membersByUserQuery()).data
  const organisations = useQuery({ ...organisationsQuery(), enabled: !is_here }).data?.data
  const organisation = is_here ? here : organisations?.find(({ id }) => id === organisation_id)
  const managers = [...(is_here && members ? members.values() : [])].filter(
    ({ user_id, pivot }) =>
      user_id !== current?.user.id && (user_id === here?.user_id || pivot.role === 'admin'),
  )
  return {
    is_here,
    organisation: organisation?.name ?? messages.otherOrganisation,
    managers: managers.map(({ name }) => name),
    is_owner: Boolean(current && organisation && isOwner(current.user, organisation)),
  }
}
