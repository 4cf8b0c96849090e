// Which test files reach which functions, measured once per state of the code; and the cheapest of them
// for a mutant.
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { projectOf, ROOMS, roomOf, sourcesOf, TESTS, type Project } from './rooms.ts'
import { instrument, listMutants, type Mutant } from './source-mutants.ts'
import type { WorkingCopy } from './working-copy.ts'

/** What one test file reaches. */
export interface Coverage {
  test: string
  durationMs: number
  /** `file#index` of each function that ran. */
  hits: ReadonlySet<string>
}

/** Tests of one project, cheapest first. */
export interface Selection {
  project: Project
  tests: string[]
  /** How long they take without a mutant. */
  durationMs: number
}

const MAX_COVERAGE_MS = 20 * 60_000
/** A survivor of that much of a project's tests counts as one. */
const MAX_SELECTION_MS = 60_000
/** A start of the browser with the app, its team and a test. */
const BROWSER_TEST_MS = 30_000

/** Throws for test files that a room names and that no run has: what only they notice would count as a survivor. */
export function requireTests(copy: WorkingCopy): void {
  const named: Record<Project, readonly string[]> = {
    unit: globSync(TESTS.unit, { cwd: copy.folder }),
    server: globSync(TESTS.server, { cwd: copy.folder }),
    browser: ROOMS.flatMap(({ browserTests }) => browserTests),
  }
  for (const project of ['unit', 'server', 'browser'] as const) {
    const known = copy.testsOf(project)
    const missing = named[project].filter((test) => !known.has(test))
    if (missing.length > 0) throw new Error(`No run has these tests: ${missing.join(', ')}`)
  }
}

/** Reads the coverage at `path`, or measures it by one run of all tests on instrumented sources. */
export async function coverageOf(copy: WorkingCopy, path: string): Promise<Coverage[]> {
  if (!existsSync(path)) await measure(copy, path)
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const entry = JSON.parse(line) as { test: string; durationMs: number; hits: string[] }
      return { ...entry, hits: new Set(entry.hits) }
    })
}

async function measure(copy: WorkingCopy, path: string): Promise<void> {
  const partial = `${path}.partial`
  mkdirSync(dirname(path), { recursive: true })
  rmSync(partial, { force: true })
  for (const file of ROOMS.flatMap((room) => sourcesOf(room, copy.folder))) {
    const code = copy.read(file)
    const { functions } = listMutants(file, code)
    copy.change(
      file,
      instrument(code, functions, (index) => `${file}#${index}`),
    )
  }
  for (const project of ['unit', 'server'] as const) {
    const tests = globSync(TESTS[project], { cwd: copy.folder }).toSorted()
    const env = { MUTATION_HITS: partial }
    const run = await copy.run({ project, tests, env, bail: false, timeoutMs: MAX_COVERAGE_MS })
    if (run.outcome !== 'passed') {
      console.log(run.output.slice(-4_000))
      throw new Error(`The ${project} tests fail without a mutant.`)
    }
  }
  copy.restore()
  renameSync(partial, path)
}

/** The tests to run for a mutant, in this order; empty where nothing reaches it. */
export function selectTests(mutant: Mutant, coverage: readonly Coverage[]): Selection[] {
  const id = `${mutant.file}#${mutant.functionIndex}`
  const prefix = `${mutant.file}#`
  // Code outside of functions runs when its file is loaded: by whom is known from its functions.
  const reaches = ({ hits }: Coverage) =>
    mutant.functionIndex < 0 ? [...hits].some((hit) => hit.startsWith(prefix)) : hits.has(id)
  const reaching = coverage.filter(reaches).toSorted((a, b) => a.durationMs - b.durationMs)
  const selections = (['unit', 'server'] as const).map((project) =>
    cheapest(
      project,
      reaching.filter(({ test }) => projectOf(test) === project),
    ),
  )
  const found = selections.filter(({ tests }) => tests.length > 0)
  if (found.length > 0) return found
  const tests = [...(roomOf(mutant.file)?.browserTests ?? [])]
  if (tests.length === 0) return []
  return [{ project: 'browser', tests, durationMs: tests.length * BROWSER_TEST_MS }]
}

function cheapest(project: Project, coverage: readonly Coverage[]): Selection {
  const selection: Selection = { project, tests: [], durationMs: 0 }
  for (const { test, durationMs } of coverage) {
    if (selection.tests.length > 0 && selection.durationMs + durationMs > MAX_SELECTION_MS) break
    selection.tests.push(test)
    selection.durationMs += durationMs
  }
  return selection
}
