import type { Organisation } from '../../contract/schemas/organisations.ts'
import type { User } from '../../contract/schemas/people.ts'
import { useSession } from '../sync/react/use-sync.ts'

/** Who is signed in, and where; null when nobody is. The engine keeps what userinfo's schema has read. */
export function useCurrentSession(): { user: User; organisation: Organisation | null } | null {
  const session = useSession()
  return (
    session && {
      user: session.user as unknown as User,
      organisation: session.active_organisation as unknown as Organisation | null,
    }
  )
}
