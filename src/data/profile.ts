import type { InferInput } from 'valibot'
import { endpoints } from '../../contract/endpoints.ts'
import type { Profile, User } from '../../contract/schemas/people.ts'
import type {
  NotificationConsents,
  NotificationConsentsEdit,
} from '../../contract/schemas/settings.ts'
import { definedFields } from './optimistic.ts'
import { queueOwnChange } from './queue-own-change.ts'
import { answerQuery } from './record-queries.ts'

type ProfileEdit = InferInput<typeof Profile>

/** Queues a change of one's profile; nothing where nothing changes. */
export async function editProfile(body: ProfileEdit): Promise<void> {
  if (Object.keys(body).length === 0) return
  await queueOwnChange('updateUserinfo', endpoints.updateUserinfo, body, (before, after) => ({
    ...before,
    ...after,
  }))
}

/** The user with a change of the profile. */
export const withProfile = (user: User, body: ProfileEdit): User => ({
  ...user,
  ...definedFields(body),
})

/** Queues a change of what is mailed. */
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

/** The choices with a change of them. */
export const withConsents = (
  consents: NotificationConsents,
  { email, push, ...body }: NotificationConsentsEdit,
): NotificationConsents => ({
  ...consents,
  ...definedFields(body),
  email: { ...consents.email, ...definedFields(email ?? {}) },
  push: { ...consents.push, ...definedFields(push ?? {}) },
})

/** Which e-mails the signed-in user wants. */
export const consentsQuery = () => answerQuery('getNotificationConsents', {})
