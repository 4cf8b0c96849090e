// Setup of an instrumented run: notes which functions a test file reaches, and how long it takes.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'

declare global {
  /** The functions that ran since the test file began, in a run on instrumented sources. */
  var cairnHits: Set<string> | undefined
}

const began = performance.now()
const hits = (globalThis.cairnHits = new Set<string>())

afterAll(() => {
  const test = relative(process.cwd(), expect.getState().testPath ?? '')
  const durationMs = Math.round(performance.now() - began)
  const line = JSON.stringify({ test, durationMs, hits: [...hits] })
  appendFileSync(process.env['MUTATION_HITS'] ?? '', `${line}\n`)
})
