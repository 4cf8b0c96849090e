// The simulation from a shell. `faults --seeds 5000 --from 1` stops at the first seed that fails, and
// prints its trace; with one seed it always does. `--model plain`: in front of a server of the specification
// alone, instead of our own. `mutants` prints which seed catches which bug.
import { parseArgs } from 'node:util'
import { findFailingSeed } from './find-failing-seed.ts'
import { mutants } from './mutants.ts'
import { plainMutants } from './plain/plain-mutants.ts'
import { simulatePlain } from './plain/plain-run.ts'
import { simulate } from './run.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    model: { type: 'string', default: 'own' },
  },
})

const isPlain = values.model === 'plain'
const run = isPlain ? simulatePlain : simulate

if (positionals[0] === 'mutants') await runMutants(Number(values.seeds ?? 500), values.only)
else await runFaults(Number(values.from), Number(values.seeds ?? 1_000))

async function runFaults(from: number, seeds: number): Promise<void> {
  const total = {
    steps: 0,
    kills: 0,
    confirmed: 0,
    applied: 0,
    rejected: 0,
    conflicts: 0,
    refreshes: 0,
  }
  const began = performance.now()
  for (let seed = from; seed < from + seeds; seed += 1) {
    const outcome = await run(seed, seeds === 1)
    for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += outcome[name]
    if (!outcome.violation && seeds > 1) continue
    const { trace, violation } = seeds > 1 ? await run(seed, true) : outcome
    console.log(trace.join('\n'))
    if (!violation) continue
    console.log(`\nSeed ${seed} breaks ${violation.invariant}: ${violation.why}`)
    process.exitCode = 1
    break
  }
  const seconds = Math.round((performance.now() - began) / 100) / 10
  console.log(JSON.stringify({ seeds, ...total, seconds }))
}

async function runMutants(seeds: number, only: string): Promise<void> {
  const searches = isPlain
    ? plainMutants.map(
        (mutant) => [mutant.name, () => findFailingSeed(simulatePlain, mutant, seeds)] as const,
      )
    : mutants.map(
        (mutant) => [mutant.name, () => findFailingSeed(simulate, mutant, seeds)] as const,
      )
  for (const [name, search] of searches.filter(([other]) => other.includes(only))) {
    const { caught } = await search()
    const { invariant = '', why = `lives after ${seeds} seeds` } = caught?.violation ?? {}
    const seed = caught ? `seed ${caught.seed}` : ''
    console.log(`${name.padEnd(40)} ${seed.padEnd(10)} ${invariant.padEnd(8)} ${why}`)
    if (!caught) process.exitCode = 1
  }
}
