import { useQuery } from '@tanstack/react-query'
import { useCurrentSession } from '../../../data/current-session.ts'
import { membersQuery } from '../../../data/organisations/queries.ts'
import type { MenuItem } from '../../../ui/overlay/menu-panel.tsx'
import { compareText } from '../../../ui/text/format.ts'
import { changeManyMessages as messages } from '../messages.ts'

/**
 * The members as items of a menu, by name. `owner` is the one whom all records to be changed have already.
 * Until the members are loaded only the signed-in user is offered.
 */
export function useOwnerItems(
  owner: string | null | undefined,
  onChoose: (user_id: string) => void,
): MenuItem[] {
  const members = useQuery(membersQuery()).data
  const user = useCurrentSession()?.user
  const people = members?.toSorted((a, b) => compareText(a.name, b.name)) ?? []
  const known = people.length > 0 || !user ? people : [{ user_id: user.id, name: user.name }]
  return known.map(({ user_id, name }) => ({
    id: user_id,
    label: user_id === user?.id ? messages.me(name) : name,
    chosen: user_id === owner,
    onSelect: () => onChoose(user_id),
  }))
}

/** The value that all records share; undefined if they differ. */
export function sharedValue<T, V>(records: readonly T[], valueOf: (record: T) => V): V | undefined {
  const values = new Set(records.map(valueOf))
  return values.size === 1 ? [...values][0] : undefined
}
