// `npm start`: builds the app if needed, migrates, seeds an empty database, listens.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale } from './ops/build.ts'
import { readConfiguration } from './configuration/configuration.ts'
import { misspeltSettings } from './configuration/unknown-settings.ts'
import { VERSION } from './configuration/version.ts'
import { schemaVersion } from './database/migrate.ts'
import { OTHERS } from './database/data-dir-permissions.ts'
import { SETUP_HOURS } from './domain/setup-link.ts'
import { DEMO_PASSWORD, DEMO_PEOPLE } from './demo/stories.ts'
import { StartError } from './errors/start-error.ts'
import { announce } from './log.ts'

/** How often to check that npm's shell is still running. */
const PARENT_CHECK_MS = 500
const SIGNALS = ['SIGTERM', 'SIGINT'] as const

async function start([option]: string[]): Promise<void> {
  // In a container the first process has no default action for these: until it listens it would not end.
  const endAtOnce = (_name: string, number: number) => process.exit(128 + number)
  for (const signal of SIGNALS) process.once(signal, endAtOnce)
  if (option === '--version') {
    console.log(`Cairn ${VERSION}, schema ${schemaVersion()}`)
    return
  }
  if (option !== undefined)
    throw new StartError(
      `Unknown option ${option}. Settings are environment variables, such as PORT=9000: see docs/configuration.md.`,
    )
  const configuration = readConfiguration(process.env)
  for (const { name, similar } of misspeltSettings(process.env))
    announce(
      'warning',
      'unknown setting',
      `${name} is no setting and has no effect. Did you mean ${similar}?`,
    )
  if (configuration.dist && !existsSync(join(configuration.dist, 'index.html')))
    throw new StartError(`DIST: there is no built app in ${configuration.dist}.`)
  const { app, accessTokenSeconds, api, ...options } = configuration
  const dist = configuration.dist ?? (await buildIfStale())
  // After the build, whose files another web server may serve.
  process.umask(OTHERS)
  const demoData = options.demoData && api === undefined
  // Loaded after the build, which needs the memory.
  const server = api
    ? await (await import('./front-end.ts')).startFrontEnd({ ...options, api, dist, config: app })
    : await (
        await import('./main.ts')
      ).startServer({
        ...options,
        dist,
        config: app,
        tokenLifetimes: accessTokenSeconds === undefined ? {} : { accessTokenSeconds },
      })
  const end = () =>
    void server.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  for (const signal of SIGNALS) process.off(signal, endAtOnce).once(signal, end)
  // npm starts this process in a shell that ends on a signal without passing it on.
  const shell = process.ppid
  if (process.env.npm_lifecycle_event === 'start')
    setInterval(() => process.ppid === shell || end(), PARENT_CHECK_MS).unref()
  if (demoData) {
    const [first, ...others] = DEMO_PEOPLE.map(({ email }) => email)
    console.log(`Sign in as ${first} with ${DEMO_PASSWORD} (also: ${others.join(', ')}).`)
  }
  if (server.setupLink !== undefined)
    console.log(`Make the first account within ${SETUP_HOURS} hours: ${server.setupLink}`)
  console.log(`Cairn is at ${server.url}`)
}

try {
  await start(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
}
