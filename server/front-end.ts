// Serves the app alone, in front of the API of another server: no database, no jobs.
import { Hono } from 'hono'
import type { Config } from '../contract/schemas/config.ts'
import type { ApiAddress } from './configuration/api-address.ts'
import { VERSION } from './configuration/version.ts'
import { createApiProxy, type ProxyLimits } from './http/api-proxy.ts'
import { createHttpServer, listen } from './http/http-server.ts'
import { createAnswerHeaders } from './http/security-headers.ts'
import { createStaticHandler } from './http/files/static-files.ts'

interface FrontEndOptions {
  /** 0 for any free port. */
  port: number
  host: string
  api: ApiAddress
  /** Folder of the built app. */
  dist: string
  /** The content of `/config.json`. */
  config: Config
  trustProxy: boolean
  limits?: Partial<ProxyLimits>
}

/** Starts the server. Throws StartError when the port is in use. `stop` does not wait for streams. */
export async function startFrontEnd(options: FrontEndOptions) {
  const { port, host, api, dist, config, trustProxy, limits } = options
  const setHeaders = createAnswerHeaders(config, trustProxy)
  const serveStatic = createStaticHandler(dist)
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    setHeaders(context)
  })
  app.get('/config.json', (context) => context.json(config))
  // For supervisors of this process; the API has its own.
  app.on('GET', ['/healthz', '/readyz'], (context) =>
    context.json({ status: 'alive', version: VERSION }),
  )
  app.get('*', async (context) => (await serveStatic(context.req.raw)) ?? context.notFound())
  app.notFound((context) => context.json({ message: 'Not Found' }, 404))
  const proxy = api.isProxied
    ? createApiProxy({ url: api.url, trustProxy, ...(limits && { limits }) })
    : undefined
  const server = createHttpServer(app.fetch, host, proxy ?? (() => false))
  const url = await listen(server, port, host)
  return {
    url,
    // Accounts are those of the API.
    setupLink: undefined,
    async stop(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
