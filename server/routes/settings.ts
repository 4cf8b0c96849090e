// Settings of the signed-in user: notification consents and onboarding.
import * as v from 'valibot'
import { endpoints } from '../../contract/endpoints.ts'
import { applyOnboardingChange, Onboarding } from '../../contract/schemas/settings.ts'
import type { Tx } from '../database/connection.ts'
import { loadConsents } from '../domain/notification-consents.ts'
import { userRoute } from '../http/route.ts'

/** The kinds that an edit sets. */
const definedOnly = (kinds: Record<string, boolean | undefined> = {}) =>
  Object.fromEntries(Object.entries(kinds).filter(([, wanted]) => wanted !== undefined))

/** `GET /api/v1/notification-consents`: the consents, with defaults. */
export const getNotificationConsents = userRoute(
  endpoints.getNotificationConsents,
  async ({ tx, user }) => ({ data: await loadConsents(tx, user.id) }),
)

/** `PUT /api/v1/notification-consents`: changes the named consents and returns all. */
export const updateNotificationConsents = userRoute(
  endpoints.updateNotificationConsents,
  async ({ tx, user, body }) => {
    const before = await loadConsents(tx, user.id)
    const { digest = before.digest, due_lead_days = before.due_lead_days } = body
    const email = { ...before.email, ...definedOnly(body.email) }
    const push = { ...before.push, ...definedOnly(body.push) }
    const data = { email, push, digest, due_lead_days }
    const columns = { ...data, email: JSON.stringify(email), push: JSON.stringify(push) }
    await tx
      .insertInto('notification_consents')
      .values({ ...columns, user_id: user.id })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
      .execute()
    return { data }
  },
)

async function loadOnboarding(tx: Tx, user_id: string): Promise<Onboarding> {
  const stored = await tx
    .selectFrom('onboardings')
    .select(['status', 'steps'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return v.parse(Onboarding, stored ?? {})
}

/** `GET /api/v1/onboarding`: status and steps, with defaults. */
export const getOnboarding = userRoute(endpoints.getOnboarding, async ({ tx, user }) => ({
  data: await loadOnboarding(tx, user.id),
}))

/** `POST /api/v1/onboarding`: changes the named steps or the status and returns all. */
export const updateOnboarding = userRoute(
  endpoints.updateOnboarding,
  async ({ tx, user, body }) => {
    const data = applyOnboardingChange(await loadOnboarding(tx, user.id), body)
    const columns = { ...data, steps: JSON.stringify(data.steps) }
    await tx
      .insertInto('onboardings')
      .values({ ...columns, user_id: user.id })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
      .execute()
    return { data }
  },
)
