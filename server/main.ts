// Starts a server: opens the database, connects the services, listens.
import type { Server } from 'node:http'
import { join, resolve } from 'node:path'
import { mailLink } from '../contract/links.ts'
import type { Config } from '../contract/schemas/config.ts'
import { createApp } from './app.ts'
import type { BackupConfiguration } from './configuration/backups.ts'
import { appConfig, type PostgresUrls } from './configuration/configuration.ts'
import { keepPrivate } from './database/data-dir-permissions.ts'
import { isOutOfRoom, openPostgresDatabase } from './database/database.ts'
import { StartError } from './errors/start-error.ts'
import { log } from './log.ts'
import { backUpBeforeMigrating } from './ops/backup-before-migrating.ts'
import { countOpenStreams } from './http/sync/event-streams.ts'
import { requireBackupFolder, startBackups, type RunningBackups } from './ops/backups/schedule.ts'
import { createMetrics } from './ops/metrics.ts'
import type { Tracer } from './ops/traces.ts'
import { openWithAdminSocket } from './ops/admin-socket.ts'
import type { IntegrationsConfiguration } from './configuration/integrations.ts'
import { createBotCheck } from './integrations/bot-check.ts'
import { createOidcProvider } from './auth/oidc.ts'
import { countAppVersions } from './auth/app-versions.ts'
import { createFolderMailer } from './integrations/mail.ts'
import { createMailQueue } from './jobs/mail-queue.ts'
import { createPushQueue } from './jobs/push-queue.ts'
import { seedWhenEmpty } from './demo/seed.ts'
import { Dictionaries } from './http/files/dictionaries.ts'
import { createHttpServer, listen, requireFreeAddress } from './http/http-server.ts'
import { createSecurityHeaders } from './http/security-headers.ts'
import { loadOrCreateTokenKey, requireTokenKey } from './auth/token-key.ts'
import type { TokenLifetimes } from './auth/tokens.ts'
import { createFirstSetupLink } from './domain/setup-link.ts'
import { startScheduler, type JobContext } from './jobs/scheduler.ts'

/** What `startServer` needs. */
export interface ServerOptions {
  /** 0 for any free port. */
  port: number
  host?: string
  dataDir: string
  /** Another PostgreSQL server instead of the server's own database in `dataDir`. */
  postgres?: PostgresUrls | undefined
  /** 32 bytes that refresh tokens are derived with; absent: the key in `dataDir`. */
  tokenKey?: Buffer | undefined
  /** Folder of the built app; absent: only the API. */
  dist?: string
  demoData?: boolean
  trustProxy?: boolean
  /** Other origins that may call the API. */
  corsOrigins?: readonly string[]
  config?: Config
  /** Bearer token for /metrics; absent: only requests from this machine. */
  metricsToken?: string | undefined
  /** Absent: no backups are made by themselves. */
  backups?: BackupConfiguration | undefined
  /** Address of an OpenTelemetry collector; absent: no traces. */
  otlpEndpoint?: string | undefined
  integrations?: IntegrationsConfiguration
  tokenLifetimes?: Partial<TokenLifetimes>
  now?: () => Date
  /** Origin of the app for its users; absent: the address that the server listens on. */
  publicUrl?: string | undefined
}

/** A server that listens. */
export interface RunningServer {
  url: string
  /** Makes the first account; undefined once there is one. */
  setupLink: string | undefined
  /** Finishes running requests and jobs, then closes the database. */
  stop(): Promise<void>
}

/** Starts the server. Throws StartError when the port or the folder is in use or unusable. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port, host = '127.0.0.1', demoData = false, now = () => new Date() } = options
  const { config = appConfig({}) } = options
  const dataDir = resolve(options.dataDir)
  let { publicUrl } = options
  await requireUsable(options, host)
  const { mailer, stripe, push, google } = await loadServices(options.integrations ?? {}, {
    outbox: join(dataDir, 'outbox'),
    now,
  })
  backUpBeforeMigrating(dataDir, options.postgres === undefined)
  const opened = options.postgres
    ? await openPostgresDatabase(options.postgres)
    : await openWithAdminSocket(dataDir, { now, publicUrl: () => publicUrl ?? '' })
  const tracer = options.otlpEndpoint
    ? (await import('./ops/traces.ts')).createTracer(options.otlpEndpoint)
    : undefined
  const database = tracer?.database(opened) ?? opened
  try {
    if (demoData) await seedWhenEmpty(database, now())
    const closing = new AbortController()
    const tokenKey = options.tokenKey ?? loadOrCreateTokenKey(dataDir)
    const { oidc, botCheck } = options.integrations ?? {}
    const jobContext = {
      database,
      now,
      stripe,
      push: push && createPushQueue(database, { service: push, now }),
      mail: createMailQueue(database, { mailer, key: tokenKey, now }),
      publicUrl: () => publicUrl ?? '',
    }
    const { backups } = options
    let running: RunningBackups | undefined
    const metrics = createMetrics(options.metricsToken, {
      database,
      now,
      folders: { data: dataDir, ...(backups && { backups: backups.dir }) },
      backups: backups && {
        dir: backups.dir,
        haveFailedToBegin: () => running?.hasFailedToBegin() ?? false,
      },
      openStreams: countOpenStreams,
      appVersions: () => countAppVersions(performance.now()),
    })
    const dictionaries = new Dictionaries(join(dataDir, 'app-files'))
    if (options.dist !== undefined) await dictionaries.keep(options.dist)
    const app = createApp({
      ...options,
      dictionaries,
      google,
      oidc: oidc && createOidcProvider(oidc, jobContext),
      botCheck: botCheck && createBotCheck(botCheck),
      countVital: metrics.countVital,
      observe(answered) {
        metrics.record(answered)
        tracer?.record(answered)
        const { seconds, replayed: _replayed, ...fields } = answered
        log('info', 'request', { ...fields, ms: Math.round(seconds * 1_000) })
      },
      ...jobContext,
      closing: closing.signal,
      config,
      tokenKey,
    })
    const fetch = tracer?.fetch(app.fetch) ?? app.fetch
    const setSecurityHeaders = createSecurityHeaders(config)
    const server = createHttpServer(fetch, host, (incoming, outgoing) => {
      const isForMetrics = incoming.method === 'GET' && incoming.url === '/metrics'
      if (!isForMetrics) return false
      const headers = new Headers()
      const forwarded = options.trustProxy ? incoming.headers['x-forwarded-proto'] : undefined
      setSecurityHeaders(headers, String(forwarded).startsWith('https'))
      void metrics.respond(incoming, outgoing, headers)
      return true
    })
    const url = await listen(server, port, host)
    publicUrl ??= url
    const setupToken = await createFirstSetupLink(database, now())
    const setupLink = setupToken && mailLink(publicUrl, 'invite', setupToken)
    running = backups && startBackups(backups, { database, dataDir, now })
    const about = { url, closing, backups: running, tracer }
    return { ...createRunningServer(server, jobContext, about), setupLink }
  } catch (error) {
    await database.close()
    if (!isOutOfRoom(error)) throw error
    throw new StartError(
      'The database takes no writes, which a first start needs: less than 64 MB are free on its disk, or it is a replica. Make room first.',
      { cause: error },
    )
  }
}

/**
 * Throws StartError for settings that the start would fail of later on. The version before does not start any more
 * once the schema is changed, so that a refused update would leave no server.
 */
async function requireUsable(options: ServerOptions, host: string): Promise<void> {
  const dataDir = resolve(options.dataDir)
  if (!options.postgres) keepPrivate(dataDir)
  if (!options.tokenKey) requireTokenKey(dataDir)
  if (options.backups) requireBackupFolder(options.backups.dir)
  await requireFreeAddress(options.port, host)
}

/** Connects what is configured. The libraries for it are large, so those of other services are not loaded. */
async function loadServices(
  { smtp, stripe, push, google }: IntegrationsConfiguration,
  { outbox, now }: { outbox: string; now: () => Date },
) {
  return {
    mailer: smtp
      ? (await import('./integrations/smtp.ts')).createSmtpMailer(smtp)
      : createFolderMailer(outbox),
    stripe: stripe && (await import('./integrations/stripe.ts')).createStripe(stripe),
    push: push && (await import('./integrations/web-push.ts')).createPushService(push),
    google: google && (await import('./auth/google.ts')).createGoogleVerifier({ ...google, now }),
  }
}

/** From the signal until requests that are still running are cut off: one may wait for a device that reads nothing. */
const STOP_GRACE_MS = 10_000

function createRunningServer(
  server: Server,
  jobContext: JobContext,
  about: {
    url: string
    closing: AbortController
    backups: RunningBackups | undefined
    tracer: Tracer | undefined
  },
): Omit<RunningServer, 'setupLink'> {
  const { url, closing, backups, tracer } = about
  const stopScheduler = startScheduler(jobContext)
  // A connection that was busy when the server began to stop must not be kept alive.
  server.on('request', (_incoming, outgoing) =>
    outgoing.once('close', () => closing.signal.aborted && server.closeIdleConnections()),
  )
  let stopped: Promise<void> | undefined
  const stop = async () => {
    stopScheduler()
    closing.abort()
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeIdleConnections()
    const grace = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
    await closed
    clearTimeout(grace)
    await backups?.stop()
    await jobContext.mail.stop()
    await jobContext.push?.stop()
    await tracer?.stop()
    await jobContext.database.close()
  }
  return {
    url,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}
