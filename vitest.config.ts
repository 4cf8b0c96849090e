import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { SummaryReporter } from './tests/summary-reporter.ts'

const project = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, ...more },
})

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

const SERVER = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // One process for all files: a new one would have to compile the embedded database again.
  isolate: false,
  env,
}
/** What only the embedded database can break, and what needs no database. */
const EMBEDDED_ONLY = ['tests/server/process/**/*.test.ts']

export default defineConfig({
  test: {
    // Tests mostly wait for processes: with fewer workers a core would be idle.
    maxWorkers: '100%',
    reporters: ['default', new SummaryReporter()],
    projects: [
      project('unit', [
        'tests/*.test.ts',
        'tests/{contract,plain-server,sync,screens}/**/*.test.{ts,tsx}',
      ]),
      project('server', ['tests/server/**/*.test.ts'], {
        ...SERVER,
        exclude: ['tests/server/postgres/**'],
      }),
      project('server-postgres', ['tests/server/**/*.test.ts'], {
        ...SERVER,
        exclude: EMBEDDED_ONLY,
        globalSetup: ['tests/server/postgres/cluster-setup.ts'],
        setupFiles: ['tests/server/postgres/explain-setup.ts'],
      }),
      project('browser', ['tests/browser/**/*.test.ts'], {
        testTimeout: 240_000,
        hookTimeout: 240_000,
        globalSetup: ['tests/browser/fixtures/build-setup.ts'],
        env,
        // Runs alone, because other suites beside it would slow all down.
        sequence: { groupOrder: 1 },
      }),
    ],
  },
})
