// Endpoints for an organisation's paid plan.
import { endpoint, none, one, raw } from '../endpoint.ts'
import {
  CustomerPortal,
  Subscription,
  SubscriptionDraft,
  SubscriptionStart,
} from '../schemas/subscriptions.ts'

export const subscriptionEndpoints = {
  getSubscription: endpoint({
    method: 'GET',
    path: '/api/v1/subscriptions',
    answer: one(Subscription),
    who: 'owner',
    offline: 'read',
  }),
  createSubscription: endpoint({
    method: 'POST',
    path: '/api/v1/subscriptions',
    body: SubscriptionDraft,
    answer: raw(SubscriptionStart),
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
