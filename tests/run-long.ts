// `npm run test:long`: the proofs of which `npm test` runs a sample, or those whose description has the words that
// are given: `npm run test:long -- browser`. Each result replaces its row in docs/reliability.md.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from './browser/fixtures/chromium.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGE = join(ROOT, 'docs/reliability.md')
const [BEGIN, END] = ['<!-- long run -->', '<!-- end of long run -->']
const VITEST = 'node_modules/vitest/vitest.mjs'
const CLEAN_CLONE = 'tests/clean-clone.ts'
const FAILOVER = 'tests/failover/failover.ts'
const SIMULATION = 'tests/sync/simulation/cli.ts'

interface Proof {
  what: string
  arguments: string[]
  env?: Record<string, string>
}

const PROOFS: Proof[] = [
  {
    what: 'all browser tests, with each screen and route in every state, theme and width, in Chromium as people install it and not in its headless shell',
    arguments: [VITEST, 'run', '--project', 'browser'],
    env: { CHROMIUM_PATH: findBrowser(), EXPLORE_ACTIONS: '40' },
  },
  {
    what: '500 random sequences compared with the server',
    arguments: `${VITEST} run --project unit model-differs-from-server`.split(' '),
    env: { CONFORMANCE_RUNS: '500' },
  },
  {
    what: 'all tests of the server, on PostgreSQL and on the embedded database',
    arguments: [VITEST, 'run', '--project', 'server', '--project', 'server-postgres'],
  },
  { what: '5,000 simulated days', arguments: [SIMULATION, 'faults', '--seeds', '5000'] },
  {
    what: '150 simulated days in front of a server that has only the specification',
    arguments: [SIMULATION, 'faults', '--model', 'plain', '--seeds', '150'],
  },
  {
    what: '`npm ci && npm start` in a clean clone prints no warning, with each major version of Node that the README allows',
    arguments: [CLEAN_CLONE],
  },
  {
    what: 'the primary database is killed five times while devices post',
    arguments: [FAILOVER],
  },
  { what: 'planted bugs of the engine', arguments: [SIMULATION, 'mutants'] },
  {
    what: 'planted bugs that only a server without keys shows',
    arguments: [SIMULATION, 'mutants', '--model', 'plain'],
  },
]

/** Runs it with its output shown; returns whether it passed, and how many minutes it took. */
async function run({ arguments: given, env }: Proof) {
  const began = Date.now()
  const child = spawn(process.execPath, given, {
    cwd: ROOT,
    env: { ...process.env, LONG_TESTS: '1', ...env },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return { hasPassed: code === 0, minutes: Math.ceil((Date.now() - began) / 60_000) }
}

const git = (...given: string[]) =>
  execFileSync('git', given, { cwd: ROOT, encoding: 'utf8' }).trim()

/** The rows of the page, by proof. */
function rowsOf(page: string): Map<string, string> {
  const [, table = ''] = page.split(BEGIN)
  return new Map(
    [...(table.split(END)[0] ?? '').matchAll(/^\| (.+?) \| (?:passed|failed) \|.*$/gm)].map(
      ([row, what = '']) => [what, row],
    ),
  )
}

const asked = process.argv.slice(2)
const chosen = PROOFS.filter(({ what }) => asked.every((words) => what.includes(words)))
if (chosen.length === 0) throw new Error(`No proof is described by ${asked.join(' ')}.`)
const commit = git('rev-parse', '--short', 'HEAD')
// Apart from the results of an earlier run.
const isChanged = git('status', '--porcelain', '.', ':!docs/reliability.md') !== ''
let haveAllPassed = true
for (const proof of chosen) {
  const { hasPassed, minutes } = await run(proof)
  haveAllPassed &&= hasPassed
  const day = new Date().toISOString().slice(0, 10)
  const of = `${commit}${isChanged ? ' with uncommitted changes' : ''}`
  const row = `| ${proof.what} | ${hasPassed ? 'passed' : 'failed'} | ${minutes} | ${day}, ${of} |`
  const page = readFileSync(PAGE, 'utf8')
  const rows = rowsOf(page).set(proof.what, row)
  const table = [
    '| proof | result | minutes | run on, of commit |',
    '|---|---|---|---|',
    ...PROOFS.flatMap(({ what }) => rows.get(what) ?? []),
  ].join('\n')
  const [before, rest = ''] = page.split(BEGIN)
  const [, after = ''] = rest.split(END)
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`)
  console.log(row)
}
process.exitCode = haveAllPassed ? 0 : 1
