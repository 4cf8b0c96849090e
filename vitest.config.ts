import { existsSync, globSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { FONTS } from './vite.fonts.ts'
import { LongestFirst } from './tests/longest-first.ts'
import { isLongRun, leftOut, leftOutWhenEmbedded } from './tests/sample.ts'
import { SummaryReporter } from './tests/summary-reporter.ts'

const project = (name: string, include: string[], more: object, ...plugins: Plugin[]) => ({
  plugins,
  // Waits end before the test's timeout, and fail with what they saw last.
  test: { name, include, expect: { poll: { timeout: 30_000 } }, ...more },
})

/**
 * For `npm test -- --changed`: what a project tests without importing it, because it builds it, starts it
 * as a process or reads it. When one of these files has changed, all tests of the project are affected.
 */
const dependsOn = (...patterns: string[]): Plugin => ({
  name: 'depends-on',
  configResolved({ configFileDependencies }) {
    const files = globSync(patterns, { cwd: import.meta.dirname })
    configFileDependencies.push(...files.map((file) => join(import.meta.dirname, file)))
  },
})
const SERVER_FILES = ['server/**', 'contract/**']
const APP_FILES = [
  'src/**',
  'sw/**',
  'contract/**',
  'public/**',
  'index.html',
  'manifest.webmanifest',
]

const MEMORY = '/dev/shm'
const NEEDED = 2 ** 30
const hasRoom = () => {
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > NEEDED
}

/**
 * Databases in memory are faster and as good a test: flushes are counted there as well, and power loss
 * is simulated, see failing-disk.ts.
 */
const env = existsSync(MEMORY) && hasRoom() ? { TMPDIR: MEMORY } : {}

// Each file of the unit tests has a process of its own, which would compile the packages that it loads again.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'cairn-compiled')

const SERVER = {
  testTimeout: 90_000,
  hookTimeout: 120_000,
  // One process for all files: a new one would have to compile the embedded database again.
  isolate: false,
  env,
}
/** What only the embedded database can break, and what needs no database. */
const EMBEDDED_ONLY = ['tests/server/process/**/*.test.ts']

export default defineConfig({
  test: {
    // Tests wait for processes, networks and timeouts a third of their time: with a worker per core the
    // cores would be idle meanwhile.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new SummaryReporter()],
    projects: [
      project(
        'unit',
        [
          'tests/*.test.ts',
          'tests/{contract,mutation,plain-server,sync,screens}/**/*.test.{ts,tsx}',
        ],
        { testTimeout: 90_000, setupFiles: ['tests/screens/fixtures/wait-timeout.ts'] },
        dependsOn('*.md', 'docs/**', 'Dockerfile', 'docker-compose.yml'),
        FONTS,
      ),
      project(
        'server',
        ['tests/server/**/*.test.ts'],
        {
          ...SERVER,
          exclude: ['tests/server/postgres/**', ...leftOut, ...leftOutWhenEmbedded],
        },
        dependsOn(...SERVER_FILES),
      ),
      project(
        'server-postgres',
        ['tests/server/**/*.test.ts'],
        {
          ...SERVER,
          exclude: [...EMBEDDED_ONLY, ...leftOut],
          globalSetup: ['tests/server/postgres/cluster-setup.ts'],
          setupFiles: ['tests/server/postgres/explain-setup.ts'],
        },
        dependsOn(...SERVER_FILES),
      ),
      project(
        'browser',
        ['tests/browser/**/*.test.ts'],
        {
          exclude: leftOut,
          // One process for all files: their modules are loaded once, and the servers' processes are shared.
          isolate: false,
          testTimeout: isLongRun ? 1_800_000 : 480_000,
          hookTimeout: 480_000,
          globalSetup: ['tests/browser/fixtures/build-setup.ts'],
          env,
          // Runs alone, because other suites beside it would slow all down.
          sequence: { groupOrder: 1 },
        },
        dependsOn(...APP_FILES, ...SERVER_FILES),
      ),
    ],
  },
})
