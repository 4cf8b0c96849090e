// The subscription. Changing it needs a network and throws a CallError without one; reading it shows the stored answer.
import { endpoints } from '../../contract/endpoints.ts'
import { CallError, sync } from '../sync/client.ts'
import { refreshOrganisation } from './organisations/refresh.ts'
import { answerQuery } from './record-queries.ts'

/**
 * Starts the professional plan, or reverts its cancellation. Returns the checkout URL if payment is needed. The
 * organisation is read again also where the answer does not tell whether it has started.
 */
export async function upgrade(): Promise<string | undefined> {
  const body = { plan: 'professional' } as const
  try {
    const { url } = await sync().call(endpoints.createSubscription, { body })
    if (url === undefined) await refreshOrganisation()
    return url
  } catch (problem) {
    if (problem instanceof CallError && problem.isTaken) await refreshOrganisation()
    throw problem
  }
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
