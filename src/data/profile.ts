import type { InferInput } from 'valibot'
import { endpoints } from '../../contract/endpoints.ts'
import type { Profile, User } from '../../contract/schemas/people.ts'
import type {
  NotificationConsents,
  NotificationConsentsEdit,
} from '../../contract/schemas/settings.ts'
import { sync } from '../sync/client.ts'
import { definedFields } from './optimistic.ts'
import { queueOwnChange } from './queue-own-change.ts'
import { answerQuery } from './record-queries.ts'

type ProfileEdit = InferInput<typeof Profile>

/** Queues an edit of the user's profile and deletes the stored `draft`. Does nothing without changes. */
export async function editProfile(body: ProfileEdit, draft?: string[]): Promise<void> {
  if (Object.keys(body).length === 0) return
  const merge = (before: ProfileEdit, after: ProfileEdit) => ({ ...before, ...after })
  await queueOwnChange('updateUserinfo', endpoints.updateUserinfo, body, merge, draft)
}

/** Refreshes the user in the session. Resolves to whether the server has answered; the stored one stays otherwise. */
export async function refreshUser(): Promise<boolean> {
  const id = sync().session.current()?.user.id
  if (id === undefined) return false
  const begun = sync().begin()
  const now = await sync()
    .call(endpoints.getUserinfo, {})
    .catch(() => undefined)
  if (now) await sync().update(id, { user: now }, begun)
  return now !== undefined
}

/** The user with a profile edit applied. */
export const withProfile = (user: User, body: ProfileEdit): User => ({
  ...user,
  ...definedFields(body),
})

/** Queues an edit of the notification consents. */
export const editConsents = (body: NotificationConsentsEdit): Promise<void> =>
  queueOwnChange(
    'updateNotificationConsents',
    endpoints.updateNotificationConsents,
    body,
    (before, after) => ({
      ...before,
      ...after,
      ...((before.email ?? after.email) && { email: { ...before.email, ...after.email } }),
      ...((before.push ?? after.push) && { push: { ...before.push, ...after.push } }),
    }),
  )

/** The consents with an edit applied. */
export const withConsents = (
  consents: NotificationConsents,
  { email, push, ...body }: NotificationConsentsEdit,
): NotificationConsents => ({
  ...consents,
  ...definedFields(body),
  email: { ...consents.email, ...definedFields(email ?? {}) },
  push: { ...consents.push, ...definedFields(push ?? {}) },
})

/** The notification consents of the signed-in user. */
export const consentsQuery = () => answerQuery('getNotificationConsents', {})
