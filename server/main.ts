// A running server: the database opened, the port bound, and how to end both.
import { createServer, type Server } from 'node:http'
import { resolve } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Config } from '../contract/config.ts'
import { createApp } from './app.ts'
import { appConfig } from './configuration.ts'
import { openDatabase, type Database } from './database.ts'
import { seedWhenEmpty } from './seed.ts'
import { StartError } from './start-error.ts'
import { readTokenKey } from './token-key.ts'
import type { TokenLifetimes } from './tokens.ts'
import { startUpkeep } from './upkeep.ts'

export interface ServerOptions {
  /** 0 for any free port. */
  port: number
  host?: string
  dataDir: string
  /** The folder of the built app; none for the API alone. */
  dist?: string
  demoData?: boolean
  trustProxy?: boolean
  config?: Config
  tokenLifetimes?: Partial<TokenLifetimes>
  now?: () => Date
}

export interface RunningServer {
  url: string
  /** Finishes the requests that are running, then closes the database. */
  stop(): Promise<void>
}

/** Starts the server. Throws StartError when the port or the folder is in use or unusable. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port, host = '127.0.0.1', demoData = false, now = () => new Date() } = options
  const dataDir = resolve(options.dataDir)
  const database = await openDatabase(dataDir)
  try {
    if (demoData) await seedWhenEmpty(database, now())
    const app = createApp({
      ...options,
      database,
      now,
      config: options.config ?? appConfig({}),
      tokenKey: readTokenKey(dataDir),
    })
    const server = createServerFor(app, host)
    const boundPort = await listen(server, port, host)
    return running(server, database, `http://${host}:${boundPort}`, now)
  } catch (error) {
    await database.close()
    throw error
  }
}

function createServerFor(app: Hono, hostname: string): Server {
  const respond = getRequestListener(app.fetch, { hostname })
  // Bodies that trickle in are found out within a second of their time limit.
  const limits = {
    connectionsCheckingInterval: 1_000,
    requestTimeout: 30_000,
    headersTimeout: 10_000,
  }
  return createServer(limits, (incoming, outgoing) => {
    if (incoming.method === 'TRACE') {
      outgoing.writeHead(405, { Allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' }).end()
      return
    }
    void respond(incoming, outgoing)
  })
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used: ${error.message}`
      reject(new StartError(`Port ${port} ${reason}.`, { cause: error }))
    })
    server.listen(port, host, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}

function running(server: Server, database: Database, url: string, now: () => Date): RunningServer {
  const endUpkeep = startUpkeep(database, now)
  let stopped: Promise<void> | undefined
  const stop = async () => {
    endUpkeep()
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeIdleConnections()
    await closed
    await database.close()
  }
  return {
    url,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}
