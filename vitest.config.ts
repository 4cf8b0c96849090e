import { existsSync, statfsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './tests/closing-line.ts'

const project = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, ...more },
})

const MEMORY = '/dev/shm'
const NEEDED = 2 ** 30
const hasRoom = () => {
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > NEEDED
}

/** Flushes are counted there as well, and what a disk loses with its power is played: see failing-disk.ts. */
const env = existsSync(MEMORY) && hasRoom() ? { TMPDIR: MEMORY } : {}

const SERVER = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // One process for file after file: a new one would have to compile the embedded database anew.
  isolate: false,
  env,
}
/** What only that one can get wrong, and what no database has a part in. */
const OF_THE_EMBEDDED_DATABASE = [
  'data-folder-of-the-build-before',
  'durability',
  'operation',
  'power-cut',
  'start',
  'static-app',
].map((name) => `tests/server/${name}.test.ts`)

export default defineConfig({
  test: {
    // Half of what the tests do is to wait for processes: one worker less would leave a core idle.
    maxWorkers: '100%',
    reporters: ['default', new ClosingLine()],
    projects: [
      project('unit', ['tests/*.test.ts', 'tests/{contract,sync,screens}/**/*.test.{ts,tsx}']),
      project('server', ['tests/server/*.test.ts'], SERVER),
      project('server-postgres', ['tests/server/**/*.test.ts'], {
        ...SERVER,
        exclude: OF_THE_EMBEDDED_DATABASE,
        globalSetup: ['tests/server/postgres/cluster.ts'],
        setupFiles: ['tests/server/postgres/explain-all.ts'],
      }),
      project('browser', ['tests/browser/**/*.test.ts'], {
        testTimeout: 240_000,
        hookTimeout: 240_000,
        globalSetup: ['tests/browser/build-once.ts'],
        env,
        // The other suites beside it would only make all slow.
        sequence: { groupOrder: 1 },
      }),
    ],
  },
})
