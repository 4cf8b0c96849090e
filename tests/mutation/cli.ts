// Mutation testing from a shell: `npm run test:mutate -- --sample 400 --seed 1 --jobs 2`.
// Continues where an earlier run on the same state of the code ended.
import { parseArgs } from 'node:util'
import { coveragePath, report, Results, stateOfCode } from './results.ts'
import { allMutants, readEquivalents, sample } from './sample.ts'
import type { Mutant } from './source-mutants.ts'
import { coverageOf, requireTests, selectTests } from './test-selection.ts'
import { tryMutant } from './try-mutant.ts'
import { ROOT, WorkingCopy } from './working-copy.ts'

const MIN_RATE = 0.95

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    /** No mutant is begun after so many minutes. */
    minutes: { type: 'string', default: '100' },
    /** Only mutants whose key contains this text. */
    only: { type: 'string', default: '' },
    /** Try survivors of this state of the code once more. */
    again: { type: 'boolean', default: false },
    /** Skip what was killed in this other state of the code, which may have fewer tests. */
    'killed-in': { type: 'string' },
  },
})

const state = stateOfCode()
const results = new Results(state)
const earlier = values['killed-in'] === undefined ? undefined : new Results(values['killed-in'])
const equivalents = readEquivalents()
const candidates = allMutants(ROOT).filter(({ key }) => key.includes(values.only))
const chosen = sample(candidates, Number(values.seed), Number(values.sample))
for (const { key } of chosen) {
  const known = earlier?.get(key)
  if (known?.outcome === 'killed' && !results.get(key)) results.add(known)
}
const isOpen = (key: string) => {
  const outcome = results.get(key)?.outcome
  return outcome === undefined || (values.again && outcome !== 'killed')
}
const open = chosen.filter(({ key }) => !(key in equivalents) && isOpen(key))
console.log(`${state}: ${open.length} of ${chosen.length} mutants to try, of ${candidates.length}`)

const deadline = performance.now() + Number(values.minutes) * 60_000
const copies = Array.from({ length: Number(values.jobs) }, () => new WorkingCopy())
process.once('exit', () => {
  for (const copy of copies) copy.remove()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const [first] = copies
if (first && open.length > 0) {
  requireTests(first)
  const coverage = await coverageOf(first, coveragePath(state))
  // The dearest last.
  const needsBrowser = (mutant: Mutant) =>
    selectTests(mutant, coverage).some(({ project }) => project === 'browser')
  open.sort((a, b) => Number(needsBrowser(a)) - Number(needsBrowser(b)))
  await Promise.all(
    copies.map(async (copy) => {
      while (performance.now() < deadline) {
        const mutant = open.shift()
        if (!mutant) return
        const result = await tryMutant(copy, mutant, coverage)
        results.add(result)
        const seconds = (result.durationMs / 1_000).toFixed(1)
        console.log(`${result.outcome.padEnd(9)} ${seconds.padStart(6)} s  ${mutant.key}`)
      }
    }),
  )
}

const { text, rate } = report(chosen, results, equivalents)
console.log(text)
if (open.length > 0)
  console.log(`Not tried for want of time: ${open.length}. Run again to continue.`)
if (open.length > 0 || rate < MIN_RATE) process.exitCode = 1
