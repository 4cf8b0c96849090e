// The user and organisation that a new operation belongs to.
import type { Caller } from '../session.ts'

/**
 * The user and the organisation of what `caller` saves now, null for a call without `tenant`. Throws when signed
 * out, and for the `draft` of others: its form was begun before another tab opened another organisation.
 */
export function authorOf(caller: Caller | undefined, tenant = false, draft?: string[]): Caller {
  const organisation_id = tenant && caller ? caller.organisation_id : null
  const [user_id, of] = draft ?? [caller?.user_id, organisation_id]
  if (!caller || user_id !== caller.user_id || (tenant && of !== organisation_id))
    throw new Error('Another user or organisation is open.')
  return { user_id: caller.user_id, organisation_id }
}
