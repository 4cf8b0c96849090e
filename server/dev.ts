// `npm run dev`: the API server, and Vite's development server before it.
import { createServer } from 'vite'
import { readConfiguration } from './configuration/configuration.ts'
import { startServer } from './main.ts'

/** Where the pages are, and the API behind them. */
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
  // Links in mails lead to the pages.
  publicUrl: publicUrl ?? `http://localhost:${PORT}`,
  config: { ...app, environment: 'development' },
})
const vite = await createServer({
  server: {
    port: PORT,
    // On another port the links would lead nowhere.
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/oauth', '/config.json', '/healthz'].map((path) => [path, api.url]),
    ),
  },
})
await vite.listen()
vite.printUrls()

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    void Promise.all([vite.close(), api.stop()]).then(() => process.exit(0))
  })
