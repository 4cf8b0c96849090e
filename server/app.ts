// The whole server as one function from request to answer: the table's rows, then the built app.
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../contract/config.ts'
import { endpoints, type EndpointName } from '../contract/endpoints.ts'
import type { Database } from './database.ts'
import { createIdempotencyGate } from './idempotency.ts'
import { createRateLimit } from './rate-limit.ts'
import { refusalOf } from './refusal.ts'
import type { Bound } from './route.ts'
import * as accounts from './routes/accounts.ts'
import { getChanges } from './routes/changes.ts'
import { listOrganisationUsers } from './routes/organisation-users.ts'
import * as organisations from './routes/organisations.ts'
import { register } from './routes/register.ts'
import * as updates from './routes/success-plan-updates.ts'
import * as plans from './routes/success-plans.ts'
import { issueToken } from './routes/token.ts'
import * as upkeep from './routes/upkeep.ts'
import { getUserinfo, updateUserinfo } from './routes/userinfo.ts'
import { setSecurityHeaders } from './security-headers.ts'
import type { Services } from './services.ts'
import { createStaticApp } from './static-app.ts'
import { createTokenService, TOKEN_LIFETIMES, type TokenLifetimes } from './tokens.ts'

/** Every row of the table with its handler: a row without one does not compile. */
const handlers: Record<EndpointName, Bound> = {
  register,
  issueToken,
  getUserinfo,
  updateUserinfo,
  listOrganisations: organisations.listOrganisations,
  getOrganisation: organisations.getOrganisation,
  createOrganisation: organisations.createOrganisation,
  updateOrganisation: organisations.updateOrganisation,
  deleteOrganisation: organisations.deleteOrganisation,
  listOrganisationUsers,
  listAccounts: accounts.listAccounts,
  getAccount: accounts.getAccount,
  createAccount: accounts.createAccount,
  updateAccount: accounts.updateAccount,
  deleteAccount: accounts.deleteAccount,
  listSuccessPlans: plans.listSuccessPlans,
  getSuccessPlan: plans.getSuccessPlan,
  createSuccessPlan: plans.createSuccessPlan,
  updateSuccessPlan: plans.updateSuccessPlan,
  deleteSuccessPlan: plans.deleteSuccessPlan,
  listPlanUpdates: updates.listPlanUpdates,
  postPlanUpdate: updates.postPlanUpdate,
  getChanges,
  getConfig: upkeep.getConfig,
  getHealth: upkeep.getHealth,
  getReadiness: upkeep.getReadiness,
}

export interface AppOptions {
  database: Database
  config: Config
  /** The secret that refresh tokens are derived with: 32 bytes that outlive restarts. */
  tokenKey: Buffer
  /** The folder of the built app; none for the API alone. */
  dist?: string
  tokenLifetimes?: Partial<TokenLifetimes>
  now?: () => Date
  trustProxy?: boolean
  /** How long a request waits for another one with its idempotency key before it is told to come later. */
  sameKeyWaitMs?: number
}

export function createApp(options: AppOptions): Hono {
  const { database, config, now = () => new Date(), trustProxy = false } = options
  const services: Services = {
    database,
    config,
    now,
    trustProxy,
    tokens: createTokenService(database, {
      key: options.tokenKey,
      now,
      lifetimes: { ...TOKEN_LIFETIMES, ...options.tokenLifetimes },
    }),
    rates: createRateLimit(),
    gate: createIdempotencyGate(options.sameKeyWaitMs ?? 10_000),
  }
  const app = new Hono()
  app.use(async (context, next) => {
    const request_id = uuidv7()
    context.res.headers.set('X-Request-Id', request_id)
    await next()
    const { headers } = context.res
    headers.set('X-Request-Id', request_id)
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
    const forwarded = trustProxy ? context.req.header('X-Forwarded-Proto') : undefined
    setSecurityHeaders(
      headers,
      (forwarded ?? new URL(context.req.url).protocol).startsWith('https'),
    )
  })
  app.use('/api/*', compress())

  for (const [name, handler] of Object.entries(handlers)) {
    const { row } = handler
    if (endpoints[name as EndpointName] !== row) throw new Error(`${name} answers another row.`)
    const path = row.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(row.method, path, (context) => handler.respond(services, context))
  }

  const serveStatic = options.dist === undefined ? undefined : createStaticApp(options.dist)
  app.get('*', async (context) => (await serveStatic?.(context.req.raw)) ?? context.notFound())
  app.notFound((context) => context.json({ message: 'Not Found' }, 404))
  app.onError((error, context) => {
    const refusal = refusalOf(error)
    if (refusal)
      return Response.json(refusal.body, { status: refusal.status, headers: refusal.headers })
    const request_id = context.res.headers.get('X-Request-Id')
    console.error(JSON.stringify({ request_id, error: String(error), stack: error.stack }))
    return context.json({ message: 'Internal Server Error', request_id }, 500)
  })
  return app
}
