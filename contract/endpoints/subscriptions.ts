// Endpoints for an organisation's paid plan.
import { endpoint, none, one, raw } from '../endpoint.ts'
import { isObject } from '../text/json.ts'
import {
  CustomerPortal,
  Subscription,
  SubscriptionDraft,
  SubscriptionStart,
} from '../schemas/subscriptions.ts'

/**
 * Other servers answer nothing where there is none yet, or a list of it. What names no field of it is no answer: a list
 * would read as a record without one.
 */
function adaptSubscription(json: unknown): unknown {
  const data = isObject(json) && 'data' in json ? json.data : json
  const [one = {}, another] = data === null || data === '' ? [] : [data].flat()
  const names = isObject(one) && !another ? Object.keys(one) : ['']
  return names.length === 0 || names.some((name) => name in Subscription.entries) ? one : null
}

/** Other servers answer the subscription or the address of the payment alone, with or without `data`. */
function adaptStart(json: unknown): unknown {
  if (!isObject(json)) return json
  const record = isObject(json.data) ? json.data : json
  const url = json.url ?? record.url
  const says = ['plan', 'status'].some((name) => name in record) || url !== undefined
  return says ? { data: record, url } : json
}

export const subscriptionEndpoints = {
  getSubscription: endpoint({
    method: 'GET',
    path: '/api/v1/subscriptions',
    answer: one(Subscription),
    adapt: adaptSubscription,
    who: 'owner',
    offline: 'read',
  }),
  createSubscription: endpoint({
    method: 'POST',
    path: '/api/v1/subscriptions',
    body: SubscriptionDraft,
    answer: raw(SubscriptionStart),
    adapt: adaptStart,
    who: 'owner',
    offline: 'online',
  }),
  /** Cancels at the end of the paid period. */
  deleteSubscription: endpoint({
    method: 'DELETE',
    path: '/api/v1/subscriptions',
    answer: none,
    status: 204,
    who: 'owner',
    offline: 'online',
  }),
  getCustomerPortal: endpoint({
    method: 'GET',
    path: '/api/v1/subscriptions/customer-portal',
    answer: one(CustomerPortal),
    who: 'owner',
    offline: 'online',
  }),
} as const
