import type { Organisation } from '../../contract/schemas/organisations.ts'
import type { User } from '../../contract/schemas/people.ts'
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
