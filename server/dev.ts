// `npm run dev`: the API server behind Vite's development server.
import { createServer } from 'vite'
import { readConfiguration } from './configuration/configuration.ts'
import { startServer } from './main.ts'

/** Port of Vite, which proxies the API. */
const PORT = 5173
const { app, publicUrl, ...options } = readConfiguration(process.env)
const { dataDir, postgres, tokenKey, demoData, integrations } = options
const api = await startServer({
  port: 0,
  dataDir,
  postgres,
  tokenKey,
  demoData,
  integrations,
  // Links in mails lead to Vite.
  publicUrl: publicUrl ?? `http://localhost:${PORT}`,
  config: { ...app, environment: 'development' },
})
const vite = await createServer({
  server: {
    port: PORT,
    // Links in mails name this port.
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/oauth', '/config.json', '/healthz', '/readyz', '/openapi.json'].map((path) => [
        path,
        api.url,
      ]),
    ),
  },
})
await vite.listen()
vite.printUrls()

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    void Promise.all([vite.close(), api.stop()]).then(() => process.exit(0))
  })
