import { useState } from 'react'
import type { Organisation } from '../../contract/schemas/organisations.ts'
import type { User } from '../../contract/schemas/people.ts'
import { sync } from '../sync/client.ts'
import { useSession } from '../sync/react/use-sync.ts'

/**
 * The signed-in user and the active organisation; null when signed out. The casts are safe: the
 * engine stores what the schema of `getUserinfo` returned.
 */
export function useCurrentSession(): { user: User; organisation: Organisation | null } | null {
  const session = useSession()
  return (
    session && {
      user: session.user as unknown as User,
      organisation: session.active_organisation as unknown as Organisation | null,
    }
  )
}

/**
 * The organisation that this tab showed before another tab opened a different one (all tabs share the active
 * organisation). Undefined if there is none, and once the user has chosen one of the two in this tab.
 */
export function useLeftOrganisation(): Organisation | undefined {
  const current = useCurrentSession()
  const [shown, setShown] = useState(current)
  const left = shown?.organisation ?? undefined
  const active = current?.organisation?.id
  if (active === undefined || active === left?.id) return undefined
  if (
    left !== undefined &&
    shown?.user.id === current?.user.id &&
    sync().chosenOrganisation !== active
  )
    return left
  setShown(current)
  return undefined
}
