import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useCurrentSession } from '../../data/current-session.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { personText } from '../../data/organisations/person-name.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { SelectField } from '../../ui/form/field.tsx'

interface OwnerFieldProps extends Omit<ComponentProps<typeof SelectField>, 'children'> {
  /** Label of the option without an owner; omitted where an owner is required. */
  none?: string
  /** Label of the signed-in user's option. */
  me: (name: string) => string
}

/**
 * Chooses a member by user id. Until the members are loaded only the signed-in user is offered; an
 * owner who has left the organisation stays selectable.
 */
export function OwnerField({ none, me, ...field }: OwnerFieldProps) {
  const members = useQuery(membersQuery()).data
  const people = usePeople()
  const user = useCurrentSession()?.user
  const { value } = field
  const hasLeft = value !== '' && members && !members.some(({ user_id }) => user_id === value)
  return (
    <SelectField {...field} optional={none !== undefined}>
      {none !== undefined && <option value="">{none}</option>}
      {hasLeft && <option value={value}>{personText(people, String(value))}</option>}
      {members?.map(({ user_id, name }) => (
        <option key={user_id} value={user_id}>
          {user_id === user?.id ? me(name) : name}
        </option>
      ))}
      {!members && user && <option value={user.id}>{me(user.name)}</option>}
    </SelectField>
  )
}
