// Plants one mutant in a working copy and runs its tests.
import { selectTests, type Coverage } from './test-selection.ts'
import { plant, type Mutant } from './source-mutants.ts'
import type { Result } from './results.ts'
import type { TestRun, WorkingCopy } from './working-copy.ts'

/** How much longer than without a mutant tests may take, on a machine that does other work too. */
const TIMEOUT_FACTOR = 5
const START_TIMEOUT_MS = 60_000

/** The first failed test in Vitest's output, as `file > title`. */
const FAILURE = /^\s*(?:FAIL)\s+(?:\|\w+\|\s*)?(tests\/.*)$/m

/** Kills the mutant or lets it live. Rejects when the tests to run do not exist. */
export async function tryMutant(
  copy: WorkingCopy,
  mutant: Mutant,
  coverage: readonly Coverage[],
): Promise<Result> {
  const selections = selectTests(mutant, coverage)
  let durationMs = 0
  copy.change(mutant.file, plant(copy.read(mutant.file), mutant))
  try {
    for (const { project, tests, durationMs: expectedMs } of selections) {
      const timeoutMs = START_TIMEOUT_MS + TIMEOUT_FACTOR * expectedMs
      let run = await copy.run({ project, tests, bail: true, timeoutMs })
      durationMs += Math.round(run.durationMs)
      if (run.outcome !== 'passed' && project === 'browser') {
        // A browser that did not start in time says nothing about the mutant.
        run = await copy.run({ project, tests, bail: true, timeoutMs })
        durationMs += Math.round(run.durationMs)
      }
      if (run.outcome === 'passed') continue
      return { key: mutant.key, outcome: 'killed', by: reasonOf(run), durationMs }
    }
  } finally {
    copy.restore()
  }
  const outcome = selections.length === 0 ? 'uncovered' : 'survived'
  return { key: mutant.key, outcome, by: '', durationMs }
}

function reasonOf({ outcome, output }: TestRun): string {
  if (outcome === 'hung') return 'hung'
  const failed = FAILURE.exec(output)?.[1]?.trim()
  if (failed !== undefined) return failed
  // With a planted bug also the set-up of a project can fail.
  const error = /^\w*Error: .*$/m.exec(output)?.[0]
  if (error === undefined && output.includes('No test files found')) throw new Error(output)
  return error ?? output.trim().slice(-200)
}
