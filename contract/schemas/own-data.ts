// What is stored about one user, as a file.
import * as v from 'valibot'
import { Id, ReadInstant, maybe } from './fields.ts'
import { Passkey } from './passkeys.ts'
import { User } from './people.ts'
import { NotificationConsents, SavedView } from './settings.ts'

export const OwnData = v.object({
  user: User,
  notification_consents: NotificationConsents,
  linked_sign_ins: v.array(
    v.object({ provider: v.string(), email: maybe(v.string()), created_at: maybe(ReadInstant) }),
  ),
  passkeys: v.optional(v.array(Passkey), []),
  sign_ins: v.array(
    v.object({
      user_agent: maybe(v.string()),
      network: maybe(v.string()),
      created_at: ReadInstant,
      last_used_at: ReadInstant,
      revoked_at: maybe(ReadInstant),
    }),
  ),
  organisations: v.array(
    v.object({
      id: Id,
      name: v.string(),
      role: v.string(),
      created_at: ReadInstant,
      saved_views: v.optional(v.array(SavedView), []),
      /** What the user has posted there. */
      updates: v.array(
        v.object({ id: Id, plan: v.string(), body: v.string(), created_at: ReadInstant }),
      ),
    }),
  ),
})
