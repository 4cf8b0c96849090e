// The subscription: all of it needs a network, and throws a CallError where that is not.
import { endpoints } from '../../contract/endpoints.ts'
import { sync } from '../sync/client.ts'
import { refreshOrganisation } from './organisations/mutations.ts'
import { answerQuery } from './record-queries.ts'

/** Begins the professional plan, or takes its end back. Returns where to pay, where money moves. */
export async function upgrade(): Promise<string | undefined> {
  const body = { plan: 'professional' } as const
  const { url } = await sync().call(endpoints.createSubscription, { body })
  if (url === undefined) await refreshOrganisation()
  return url
}

/** Ends the professional plan at the end of its period. */
export async function downgrade(): Promise<void> {
  await sync().call(endpoints.deleteSubscription, {})
  await refreshOrganisation()
}

/** Where the customer sees what they pay. */
export const portalUrl = async (): Promise<string> =>
  (await sync().call(endpoints.getCustomerPortal, {})).url

/** The subscription and usage of the active organisation; owners only. */
export const subscriptionQuery = () =>
  answerQuery('getSubscription', {}, sync().session.current()?.active_organisation?.id)
