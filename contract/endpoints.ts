// The endpoint table: every call between app and server. App, server and tests use the same name for
// a call. The rows are in endpoints/, one file per resource.
import { accountEndpoints } from './endpoints/accounts.ts'
import { deviceEndpoints } from './endpoints/device.ts'
import { initiativeEndpoints } from './endpoints/initiatives.ts'
import { organisationEndpoints } from './endpoints/organisations.ts'
import { securityEndpoints } from './endpoints/security.ts'
import { sessionEndpoints } from './endpoints/session.ts'
import { subscriptionEndpoints } from './endpoints/subscriptions.ts'
import { successPlanEndpoints } from './endpoints/success-plans.ts'
import { templateEndpoints } from './endpoints/templates.ts'

export const endpoints = {
  ...sessionEndpoints,
  ...securityEndpoints,
  ...organisationEndpoints,
  ...accountEndpoints,
  ...successPlanEndpoints,
  ...initiativeEndpoints,
  ...templateEndpoints,
  ...subscriptionEndpoints,
  ...deviceEndpoints,
} as const

export type EndpointName = keyof typeof endpoints
