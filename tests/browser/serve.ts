// The server of a test as a process of its own, so that it can be killed. PORT, DATA_DIR and the rest
// are the server's own configuration; DIST is the build that it serves.
import { startServer } from '../../server/main.ts'
import { readConfiguration } from '../../server/configuration.ts'

const { port, host, dataDir, demoData, accessTokenSeconds, app, integrations } = readConfiguration(
  process.env,
)
const server = await startServer({
  port,
  host,
  dataDir,
  demoData,
  integrations,
  config: app,
  dist: process.env['DIST'] ?? '',
  ...(accessTokenSeconds !== undefined && {
    tokenLifetimes: { accessTokenSeconds },
  }),
})
// The test that started it is gone: so is its data.
process.stdin.resume().once('close', () => process.exit(1))
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))
console.log(server.url)
