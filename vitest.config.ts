import { defineConfig } from 'vitest/config'
import { ClosingLine } from './tests/closing-line.ts'

const project = (name: string, include: string[], more: object = {}) => ({
  test: { name, include, ...more },
})

export default defineConfig({
  test: {
    reporters: ['default', new ClosingLine()],
    projects: [
      project('unit', ['tests/*.test.ts', 'tests/{contract,sync,screens}/**/*.test.{ts,tsx}']),
      project('server', ['tests/server/**/*.test.ts'], {
        testTimeout: 30_000,
        hookTimeout: 60_000,
      }),
      project('browser', ['tests/browser/**/*.test.ts'], {
        testTimeout: 240_000,
        hookTimeout: 240_000,
        globalSetup: ['tests/browser/build-once.ts'],
        // Two cores: a second browser, or the other suites beside it, would only make all slow.
        fileParallelism: false,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
})
