// Random use of the real screens by two users under a changing network. To replay a seed that failed:
// `npm run test:explore -- --seeds 1 --from <seed>`.
import { test } from 'vitest'
import { explore } from './explore.ts'

const FIRST = Number(process.env['EXPLORE_FROM'] ?? 1)
const SEEDS = Number(process.env['EXPLORE_SEEDS'] ?? 5)
const ACTIONS = Number(process.env['EXPLORE_ACTIONS'] ?? 9)
const isCommand = process.env['EXPLORE_SEEDS'] !== undefined

for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1)
  test(`seed ${seed}: saved work arrives once, and every screen keeps its properties`, async () => {
    const trace = await explore({ seed, actions: ACTIONS })
    if (isCommand) console.log(trace.join('\n'))
  })
