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
}: Pick<Operation, 'organisation_id'>): OperationContext & { is_active: boolean } {
  const current = useCurrentSession()
  const active = current?.organisation ?? null
  const is_active = organisation_id === null || organisation_id === active?.id
  const members = useQuery(membersByUserQuery()).data
  const organisations = useQuery({ ...organisationsQuery(), enabled: !is_active }).data?.data
  const organisation = is_active ? active : organisations?.find(({ id }) => id === organisation_id)
  const managers = [...(is_active && members ? members.values() : [])].filter(
    ({ user_id, pivot }) =>
      user_id !== current?.user.id && (user_id === active?.user_id || pivot.role === 'admin'),
  )
  return {
    is_active,
    organisation: organisation?.name ?? messages.otherOrganisation,
    managers: managers.map(({ name }) => name),
    is_owner: Boolean(current && organisation && isOwner(current.user, organisation)),
  }
}
