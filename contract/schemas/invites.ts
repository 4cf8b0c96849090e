// Invitations to an organisation, and the tokens of links in emails.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import { EmailAddress, Id, ReadInstant, maybe, oneOf } from './fields.ts'

export const ROLES = ['admin', 'member'] as const

export const Invite = v.object({
  id: Id,
  email: v.string(),
  role: v.optional(v.string(), 'member'),
  status: v.optional(v.string(), 'pending'),
  invited_by: maybe(Id),
  expires_at: maybe(ReadInstant),
  created_at: maybe(ReadInstant),
})
export type Invite = v.InferOutput<typeof Invite>

export const InviteDraft = v.object({ email: EmailAddress, role: v.optional(oneOf(ROLES)) })
export type InviteDraft = v.InferInput<typeof InviteDraft>

/** The single-use token of a link. */
export const LinkToken = v.object({ token: v.string(messages.linkIncomplete) })

/** What a link token is for, so that an expired link is reported before a form is filled in. */
export const LinkTokenDetails = v.object({
  type: v.string(),
  email: v.string(),
  organisation: maybe(v.object({ id: Id, name: v.string() })),
})
