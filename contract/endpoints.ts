// The endpoint table: every call between app and server. App, server and tests use the same name for
// a call. The rows are in endpoints/.
import { deviceEndpoints } from './endpoints/device.ts'
import { recordEndpoints } from './endpoints/records.ts'
import { securityEndpoints } from './endpoints/security.ts'
import { sessionEndpoints } from './endpoints/session.ts'
import { subscriptionEndpoints } from './endpoints/subscriptions.ts'

export const endpoints = {
  ...sessionEndpoints,
  ...securityEndpoints,
  ...recordEndpoints,
  ...subscriptionEndpoints,
  ...deviceEndpoints,
} as const

export type EndpointName = keyof typeof endpoints
