// The subscription. Every call needs a network and throws a CallError without one.
import { endpoints } from '../../contract/endpoints.ts'
import { ignoreTaken, sync } from '../sync/client.ts'
import { refreshOrganisation } from './organisations/mutations.ts'
import { answerQuery } from './record-queries.ts'

/** Starts the professional plan, or reverts its cancellation. Returns the checkout URL if payment is needed. */
export async function upgrade(): Promise<string | undefined> {
  const body = { plan: 'professional' } as const
  const start = await sync().call(endpoints.createSubscription, { body }).catch(ignoreTaken)
  if (start?.url === undefined) await refreshOrganisation()
  return start?.url
}

/** Cancels the professional plan at the end of the paid period. */
export async function downgrade(): Promise<void> {
  await sync().call(endpoints.deleteSubscription, {})
  await refreshOrganisation()
}

/** URL of the payment provider's customer portal. */
export const portalUrl = async (): Promise<string> =>
  (await sync().call(endpoints.getCustomerPortal, {})).url

/** The subscription and usage of the active organisation; owners only. */
export const subscriptionQuery = () =>
  answerQuery('getSubscription', {}, sync().session.current()?.active_organisation?.id)
