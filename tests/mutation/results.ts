// What became of each mutant: kept in `.cache/mutation/<state of the code>`, so that a run can be resumed.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOMS, roomOf } from './rooms.ts'
import type { Mutant } from './source-mutants.ts'
import { ROOT } from './working-copy.ts'

/** `uncovered`: no test reaches it, so it survives. */
type Outcome = 'killed' | 'survived' | 'uncovered'

export interface Result {
  key: string
  outcome: Outcome
  /** The test that failed, or the reason for which a run ended; empty for a survivor. */
  by: string
  durationMs: number
}

const CACHE = join(ROOT, '.cache/mutation')

/** The commit, followed by a digest of what differs from it. */
export function stateOfCode(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
  const commit = git('rev-parse', '--short=12', 'HEAD').trim()
  const changes = git('diff', 'HEAD') + git('status', '--porcelain')
  if (changes === '') return commit
  return `${commit}-${createHash('sha256').update(changes).digest('hex').slice(0, 8)}`
}

export const coveragePath = (state: string): string => join(CACHE, state, 'coverage.jsonl')

/** The results of one state of the code, by the key of the mutant. */
export class Results {
  readonly #path: string
  readonly #results = new Map<string, Result>()

  constructor(state: string) {
    const folder = join(CACHE, state)
    mkdirSync(folder, { recursive: true })
    this.#path = join(folder, 'results.jsonl')
    if (!existsSync(this.#path)) return
    for (const line of readFileSync(this.#path, 'utf8').split('\n').filter(Boolean)) {
      const result = JSON.parse(line) as Result
      this.#results.set(result.key, result)
    }
  }

  get(key: string): Result | undefined {
    return this.#results.get(key)
  }

  add(result: Result): void {
    this.#results.set(result.key, result)
    appendFileSync(this.#path, `${JSON.stringify(result)}\n`)
  }
}

/** One line per room, and the survivors. Rates are shares of the mutants that are not equivalent. */
export function report(
  mutants: readonly Mutant[],
  results: Results,
  equivalents: Record<string, string>,
): { text: string; rate: number } {
  const rowOf = (name: string, own: readonly Mutant[]) => {
    const count = (outcome: Outcome) =>
      own.filter(({ key }) => !(key in equivalents) && results.get(key)?.outcome === outcome).length
    const equivalent = own.filter(({ key }) => key in equivalents).length
    const killed = count('killed')
    const survived = count('survived') + count('uncovered')
    const rate = killed / Math.max(1, killed + survived)
    const planted = killed + survived + equivalent
    const cells = [planted, killed, survived, equivalent, `${(100 * rate).toFixed(1)} %`]
    return { rate, line: `| ${[name, ...cells].join(' | ')} |` }
  }
  const rows = ROOMS.map(({ name }) =>
    rowOf(
      name,
      mutants.filter(({ file }) => roomOf(file)?.name === name),
    ),
  )
  const total = rowOf('all', mutants)
  const survivors = mutants.filter(
    ({ key }) =>
      !(key in equivalents) && /survived|uncovered/.test(results.get(key)?.outcome ?? ''),
  )
  const lines = [
    ...survivors.map(
      ({ key, replacement }) => `${results.get(key)?.outcome} ${key} => ${replacement}`,
    ),
    '',
    '| room | planted | killed | survived | equivalent | rate |',
    '|---|---|---|---|---|---|',
    ...rows.map(({ line }) => line),
    total.line,
  ]
  return { text: lines.join('\n'), rate: total.rate }
}
