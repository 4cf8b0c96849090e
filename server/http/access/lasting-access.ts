// The access of a request whose answer takes long: looked up again where it may have ended, and after a second.
import type { Context } from 'hono'
import { membersOf, sessionsOf } from '../../database/change-bus.ts'
import type { OrganisationScope } from '../../domain/organisation.ts'
import { readOrganisationId } from '../authenticate.ts'
import type { Services } from '../services.ts'
import { enterAsMember, requireMembership, type Sender } from './sender.ts'

/** After this time access is looked up again: a token may have expired, or a notification been lost. */
const MAX_AGE_MS = 1_000

/** The access of a member for as long as the answer takes. */
export interface LastingAccess {
  /** The organisation as it is now. Throws an HttpError when the access has ended, and as `requireMembership`. */
  enter(): Promise<OrganisationScope>
  /** To be called when the answer ends. */
  stop(): void
}

/** The access of the request's sender, which `enter` looks up first. */
export function lastingAccess(services: Services, context: Context, sender: Sender): LastingAccess {
  const { monotonicMs } = services
  const { changes } = services.database
  const organisation_id = readOrganisationId(context.req.raw)
  let found: { organisation: OrganisationScope; at: number } | undefined
  let isFirst = true
  let notices = 0
  const notice = () => {
    notices += 1
    found = undefined
  }
  // The organisation too: which pages follow depends on its version.
  const keys = [sessionsOf(sender.user_id), membersOf(organisation_id), organisation_id]
  const ends = keys.map((key) => changes.subscribe(key, notice))
  return {
    async enter() {
      const at = monotonicMs()
      if (found && at - found.at < MAX_AGE_MS) return found.organisation
      const seen = notices
      const { organisation } = isFirst
        ? await enterAsMember(sender, organisation_id)
        : await requireMembership(services, context)
      isFirst = false
      // Access that ended during the look-up may have been read before: then it is looked up again.
      found = notices === seen ? { organisation, at } : undefined
      return organisation
    },
    stop: () => ends.forEach((end) => end()),
  }
}
