// Explores the real screens from a shell: `--seeds 20 --from 1`. Each seed takes at least 40 actions;
// one that fails prints its trace, and replays with `--seeds 1 --from <seed>`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    actions: { type: 'string', default: '40' },
  },
})

const root = join(import.meta.dirname, '../../..')
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const child = spawn(
  process.execPath,
  [vitest, 'run', '--project', 'browser', 'tests/browser/explore'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      EXPLORE_SEEDS: values.seeds,
      EXPLORE_FROM: values.from,
      EXPLORE_ACTIONS: values.actions,
    },
  },
)
child.once('exit', (code) => {
  process.exitCode = code ?? 1
})
