// `npm run dev`: the API server, and Vite's development server before it.
import { createServer } from 'vite'
import { readConfiguration } from './configuration.ts'
import { startServer } from './main.ts'

const { dataDir, demoData, app } = readConfiguration(process.env)
const api = await startServer({
  port: 0,
  dataDir,
  demoData,
  config: { ...app, environment: 'development' },
})
const vite = await createServer({
  server: {
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
