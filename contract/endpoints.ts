// THE TABLE: every call that the app makes and the server answers. One name for one call: the same
// in the app, in the server's handler and in their tests. The rows stand in endpoints/, by noun.
import { accountEndpoints } from './endpoints/accounts.ts'
import { deviceEndpoints } from './endpoints/device.ts'
import { initiativeEndpoints } from './endpoints/initiatives.ts'
import { organisationEndpoints } from './endpoints/organisations.ts'
import { sessionEndpoints } from './endpoints/session.ts'
import { subscriptionEndpoints } from './endpoints/subscriptions.ts'
import { successPlanEndpoints } from './endpoints/success-plans.ts'
import { templateEndpoints } from './endpoints/templates.ts'

export const endpoints = {
  ...sessionEndpoints,
  ...organisationEndpoints,
  ...accountEndpoints,
  ...successPlanEndpoints,
  ...initiativeEndpoints,
  ...templateEndpoints,
  ...subscriptionEndpoints,
  ...deviceEndpoints,
} as const

export type EndpointName = keyof typeof endpoints
