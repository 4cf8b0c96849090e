// Runs the simulation from a shell: `--seeds 5000 --from 1`, and the trace of the first seed that fails.
import { parseArgs } from 'node:util'
import { simulate } from './run.ts'

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' } },
})
const from = Number(values.from)
const seeds = Number(values.seeds)
const total = {
  steps: 0,
  kills: 0,
  confirmed: 0,
  applied: 0,
  refused: 0,
  refreshes: 0,
  signOuts: 0,
}
const began = performance.now()

for (let seed = from; seed < from + seeds; seed += 1) {
  const outcome = await simulate(seed, seeds === 1)
  for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += outcome[name]
  if (outcome.violation || seeds === 1) {
    const { trace, violation } = outcome.violation ? await simulate(seed, true) : outcome
    console.log(trace.join('\n'))
    if (violation) console.log(`\nSeed ${seed} breaks ${violation.invariant}: ${violation.why}`)
    process.exitCode = violation ? 1 : 0
    break
  }
}
console.log(
  JSON.stringify({ ...total, seconds: Math.round((performance.now() - began) / 100) / 10 }),
)
