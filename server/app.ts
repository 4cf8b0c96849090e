// The HTTP application: all endpoints of the table, then the files of the built app.
import { Hono, type Context } from 'hono'
import { compress } from 'hono/compress'
import { routePath } from 'hono/route'
import { v7 as uuidv7 } from 'uuid'
import { CAPABILITIES_HEADER, OWN_CAPABILITIES } from '../contract/capabilities.ts'
import type { Config } from '../contract/schemas/config.ts'
import type { Vital } from '../contract/schemas/vitals.ts'
import { endpoints, type EndpointName } from '../contract/endpoints.ts'
import { PORTAL_PATH, PORTAL_PAGE } from './routes/billing/portal-page.ts'
import type { Database } from './database/database.ts'
import { createCors } from './http/cors.ts'
import { createIdempotencyGate } from './http/idempotency.ts'
import { withTurns } from './http/sync/organisation-turns.ts'
import type { AnsweredRequest } from './ops/metrics.ts'
import type { BotCheck } from './integrations/bot-check.ts'
import type { VerifyIdToken } from './auth/google.ts'
import { OIDC_RETURN_PATH, type OidcProvider } from './auth/oidc.ts'
import type { MailQueue } from './jobs/mail-queue.ts'
import type { PushQueue } from './jobs/push-queue.ts'
import type { StripeClient } from './integrations/stripe.ts'
import { toResponse } from './http/present.ts'
import { networkFrom } from './http/authenticate.ts'
import { createKnownTokens } from './http/access/known-tokens.ts'
import { limitBodies } from './http/access/held-bodies.ts'
import { limitUnsent } from './http/access/unsent-answers.ts'
import { createEventStreams, STREAM_LIMITS, type StreamLimits } from './http/sync/event-streams.ts'
import {
  createRateLimit,
  NETWORK_BUCKET,
  STORED_BUCKET,
  USER_BUCKET,
  VITALS_BUCKET,
} from './http/rate-limit.ts'
import { PageStreams } from './http/sync/page-streams.ts'
import { KeptLists } from './http/list-query.ts'
import { SharedPages } from './http/sync/shared-pages.ts'
import { errorResponse } from './http/to-http-error.ts'
import type { RouteHandler } from './http/route.ts'
import * as accounts from './routes/accounts.ts'
import * as actions from './routes/actions.ts'
import { sendBatch } from './routes/batch.ts'
import { getChanges } from './routes/changes.ts'
import { getEvents, streamAccess } from './routes/events.ts'
import * as initiatives from './routes/initiatives.ts'
import * as invites from './routes/organisation-invites.ts'
import * as members from './routes/organisation-users.ts'
import * as organisations from './routes/organisations.ts'
import * as pushSubscriptions from './routes/push-subscriptions.ts'
import * as recovery from './routes/auth/recovery.ts'
import { register } from './routes/auth/register.ts'
import * as savedViews from './routes/saved-views.ts'
import * as settings from './routes/settings.ts'
import * as subscriptions from './routes/billing/subscriptions.ts'
import * as updates from './routes/success-plan-updates.ts'
import * as plans from './routes/success-plans.ts'
import * as templates from './routes/templates.ts'
import { returnFromIssuer, startOidcSignIn } from './routes/auth/oidc.ts'
import { issueToken } from './routes/auth/token.ts'
import * as health from './routes/health.ts'
import * as profile from './routes/auth/userinfo.ts'
import * as emailRoutes from './routes/auth/email.ts'
import * as passkeyRoutes from './routes/auth/passkeys.ts'
import * as passwordRoutes from './routes/auth/password.ts'
import * as linkedSignIns from './routes/auth/linked-sign-ins.ts'
import { deleteUserinfo } from './routes/auth/own-account.ts'
import { getOwnData } from './routes/auth/own-data.ts'
import * as signIns from './routes/auth/sign-ins.ts'
import { reportVitals } from './routes/vitals.ts'
import * as webhooks from './routes/billing/stripe-webhook.ts'
import { createAnswerHeaders } from './http/security-headers.ts'
import type { Services, SharedInBatch } from './http/services.ts'
import type { Dictionaries } from './http/files/dictionaries.ts'
import { createStaticHandler } from './http/files/static-files.ts'
import { createDeviceTokens } from './auth/device-token.ts'
import { createPasskeys } from './auth/passkeys.ts'
import { createTokenService, TOKEN_LIFETIMES, type TokenLifetimes } from './auth/tokens.ts'

/** All endpoints with their handlers: an endpoint without a handler does not compile. */
const handlers: Record<EndpointName, RouteHandler> = {
  register,
  issueToken,
  startOidcSignIn,
  ...profile,
  ...emailRoutes,
  ...signIns,
  ...linkedSignIns,
  ...passkeyRoutes,
  deleteUserinfo,
  getOwnData,
  ...passwordRoutes,
  ...organisations,
  ...members,
  ...invites,
  ...recovery,
  ...settings,
  ...pushSubscriptions,
  ...subscriptions,
  ...accounts,
  ...plans,
  ...updates,
  ...initiatives,
  ...actions,
  ...templates,
  ...savedViews,
  sendBatch,
  getChanges,
  getEvents,
  reportVitals,
  ...health,
}

/** What `createApp` needs. Absent services are off. */
export interface AppOptions {
  database: Database
  config: Config
  mail: MailQueue
  /** Absent: no sign-in with Google. */
  google?: VerifyIdToken | undefined
  /** Absent: no sign-in with another issuer. */
  oidc?: OidcProvider | undefined
  /** Absent: forms are not checked for bots. */
  botCheck?: BotCheck | undefined
  /** Absent: no notifications to browsers. */
  push?: PushQueue | undefined
  /** Absent: subscriptions are built-in and free. */
  stripe?: StripeClient | undefined
  /** Origin of the app, without a trailing slash, for links in mails. */
  publicUrl: () => string
  /** 32 bytes that refresh tokens are derived with; must be the same after a restart. */
  tokenKey: Buffer
  /** Folder of the built app; absent: only the API. */
  dist?: string
  /** Absent: updates of the app are downloaded without what a device has of earlier ones. */
  dictionaries?: Dictionaries | undefined
  tokenLifetimes?: Partial<TokenLifetimes>
  now?: () => Date
  /** Milliseconds of a clock that is never set back. */
  monotonicMs?: () => number
  trustProxy?: boolean
  /** Other origins that may call the API. */
  corsOrigins?: readonly string[]
  /** Aborted when the server stops; ends the event streams. */
  closing?: AbortSignal
  heartbeatMs?: number
  /** How many event streams may be open. */
  streamLimits?: StreamLimits
  /** Called with each measurement of a device. */
  countVital?: (vital: Vital) => void
  /** Called after each request. */
  observe?: (answered: AnsweredRequest) => void
}

declare module 'hono' {
  interface ContextVariableMap {
    /** As in X-Request-Id. */
    request_id: string
  }
}

const HEARTBEAT_MS = 25_000
/** How long a request waits for another one with its idempotency key before it gets a 409. */
const SAME_KEY_WAIT_MS = 10_000

/** The application as a Hono app; nothing is opened or started. */
export function createApp(options: AppOptions): Hono {
  const { config, mail, publicUrl, now = () => new Date(), trustProxy = false } = options
  const closing = options.closing ?? new AbortController().signal
  const database = withTurns(options.database)
  const tokens = createTokenService(database, {
    key: options.tokenKey,
    now,
    lifetimes: { ...TOKEN_LIFETIMES, ...options.tokenLifetimes },
  })
  /** The calls that can be in a batch. */
  const queued = new Hono<{ Bindings: { shared: SharedInBatch } }>()
  const services: Services = {
    database,
    config,
    mail,
    google: options.google,
    oidc: options.oidc,
    push: options.push,
    stripe: options.stripe,
    botCheck: options.botCheck,
    publicUrl,
    now,
    trustProxy,
    tokens,
    deviceTokens: createDeviceTokens(options.tokenKey),
    passkeys: createPasskeys({ tokenKey: options.tokenKey, publicUrl, now }),
    monotonicMs: options.monotonicMs ?? (() => performance.now()),
    userLimit: createRateLimit(USER_BUCKET),
    networkLimit: createRateLimit(NETWORK_BUCKET),
    unknownLimit: createRateLimit(NETWORK_BUCKET),
    storedLimit: createRateLimit(STORED_BUCKET),
    vitalsLimit: createRateLimit(VITALS_BUCKET),
    countVital: options.countVital ?? (() => undefined),
    knownTokens: createKnownTokens(),
    streams: createEventStreams({
      ...streamAccess(database, tokens),
      limits: options.streamLimits ?? STREAM_LIMITS,
      closing,
      heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    }),
    pages: new SharedPages(),
    lists: new KeptLists(),
    pageStreams: new PageStreams(closing),
    idempotency: createIdempotencyGate(SAME_KEY_WAIT_MS),
    answerQueued: (request, env, shared) => queued.fetch(request, { ...env, shared }),
  }
  const setHeaders = createAnswerHeaders(config, trustProxy)
  const cors = createCors(options.corsOrigins ?? [])
  const app = new Hono()
  app.use(async (context, next) => {
    const request_id = uuidv7()
    const startedAt = performance.now()
    // The header is set after `next`: setting it before would make Hono copy the response with its body.
    context.set('request_id', request_id)
    const preflight = cors.answerPreflight(context.req.raw)
    if (preflight) context.res = preflight
    else await next()
    const { headers } = context.res
    cors.setHeaders(headers, context.req.raw)
    headers.set('X-Request-Id', request_id)
    headers.set(CAPABILITIES_HEADER, OWN_CAPABILITIES)
    setHeaders(context)
    options.observe?.(answeredRequest(context, startedAt))
  })
  app.use('/api/*', compress())
  const networkOf = (context: Context) => networkFrom(services, context)
  const userOf = (token: string) => services.knownTokens.userOf(token)
  app.use('/api/*', limitUnsent(networkOf, userOf))
  const boundBodies = limitBodies(networkOf, userOf)
  for (const path of ['/api/*', '/oauth/*']) app.use(path, boundBodies)
  queued.use(async (context, next) => {
    const startedAt = performance.now()
    context.set('request_id', uuidv7())
    await next()
    options.observe?.(answeredRequest(context, startedAt))
  })
  // An operation whose key is in use elsewhere is busy, and holds no other one of its batch.
  const inBatch = { ...services, idempotency: services.idempotency.withoutWaiting }

  for (const [name, endpoint] of Object.entries(endpoints)) {
    const handler = handlers[name as EndpointName]
    const { row } = handler
    if (endpoint !== row) throw new Error(`The handler of ${name} is bound to another endpoint.`)
    const path = row.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(row.method, path, (context) => handler.respond(services, context))
    if (row.offlinePolicy)
      queued.on(row.method, path, (context) =>
        // What belongs to a user reads the user's row as it is now.
        handler.respond(
          row.who === 'user' ? inBatch : { ...inBatch, ...context.env.shared },
          context,
        ),
      )
  }

  const document = memoized(async () =>
    JSON.stringify((await import('./http/openapi.ts')).openApi()),
  )
  app.get('/openapi.json', async () =>
    toResponse({ status: 200, body: await document(), etag: null }),
  )
  app.post(webhooks.STRIPE_WEBHOOK_PATH, (context) =>
    webhooks.receiveStripeEvent(services, context),
  )
  app.get(OIDC_RETURN_PATH, returnFromIssuer)
  app.get(PORTAL_PATH, (context) => context.html(PORTAL_PAGE))
  const serveStatic =
    options.dist === undefined ? undefined : createStaticHandler(options.dist, options.dictionaries)
  app.get('*', async (context) => (await serveStatic?.(context.req.raw)) ?? context.notFound())
  app.notFound((context) => context.json({ message: 'Not Found' }, 404))
  app.onError(answerError)
  queued.onError(answerError)
  return app
}

const answerError = (error: Error, context: Context): Response =>
  errorResponse(error, context.get('request_id'))

/** `startedAt`: milliseconds of `performance`. */
const answeredRequest = (context: Context, startedAt: number): AnsweredRequest => ({
  request_id: context.get('request_id'),
  method: context.req.method,
  route: routePath(context),
  status: context.res.status,
  replayed: context.res.headers.has('Idempotent-Replayed'),
  seconds: (performance.now() - startedAt) / 1_000,
})

/** Calls `make` at the first use and keeps its result. */
function memoized<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
