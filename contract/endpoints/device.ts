// Endpoints that no screen owns: batches of operations, the change feed, server events, configuration, health.
import { validationMessages as messages } from '../text/messages.ts'
import * as v from 'valibot'
import { Batch, BatchResults } from '../schemas/batch.ts'
import { Changes } from '../schemas/changes.ts'
import { Config } from '../schemas/config.ts'
import { endpoint, feed, none, raw } from '../endpoint.ts'
import { VITALS_PATH, VitalsReport } from '../schemas/vitals.ts'

/** Any 2xx answer means healthy; other servers send other bodies. */
const HealthBody = v.looseObject({ status: v.optional(v.unknown(), 'alive') })
/** With the version of the server and the last migration of its schema. */
const AliveBody = v.looseObject({
  ...HealthBody.entries,
  version: v.optional(v.string()),
  schema: v.optional(v.string()),
})

export const deviceEndpoints = {
  getChanges: endpoint({
    capability: 'changes',
    method: 'GET',
    path: '/api/v1/changes',
    query: v.strictObject({
      since: v.union([
        v.pipe(v.number(), v.integer(), v.minValue(0)),
        v.pipe(v.string(), v.regex(/^\d{1,15}$/, messages.version), v.transform(Number)),
      ]),
    }),
    answer: feed(Changes),
    who: 'member',
    offline: 'read',
  }),
  /** Answers each operation as its own call would be answered, with 200 whatever their outcomes. */
  sendBatch: endpoint({
    capability: 'batch',
    method: 'POST',
    path: '/api/v1/batch',
    body: Batch,
    answer: raw(BatchResults),
    who: 'member',
    offline: 'online',
  }),
  /** Sends `event: version` with `data: {"version":N}` on connect and after every change of the organisation. */
  getEvents: endpoint({
    capability: 'events',
    method: 'GET',
    path: '/api/v1/events',
    answer: raw(v.string()),
    media: 'text/event-stream',
    who: 'member',
    offline: 'online',
  }),
  /** Adds measurements of a device to the metrics. The request has no token and no id, so they belong to no user. */
  reportVitals: endpoint({
    capability: 'vitals',
    method: 'POST',
    path: VITALS_PATH,
    body: VitalsReport,
    maxBodyBytes: 4_096,
    answer: none,
    status: 204,
    who: 'anyone',
    offline: 'online',
  }),
  getConfig: endpoint({
    method: 'GET',
    path: '/config.json',
    answer: raw(Config),
    who: 'anyone',
    offline: 'read',
  }),
  getHealth: endpoint({
    capability: 'health',
    method: 'GET',
    path: '/healthz',
    answer: raw(AliveBody),
    who: 'anyone',
    offline: 'online',
  }),
  getReadiness: endpoint({
    capability: 'health',
    method: 'GET',
    path: '/readyz',
    answer: raw(HealthBody),
    who: 'anyone',
    offline: 'online',
  }),
} as const
