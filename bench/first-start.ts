// A first start from a clean clone, beside the installation alone.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cloneInto, install, startOnce } from '../tests/server/fixtures/clean-clone.ts'
import type { Place, Scenario } from './measure.ts'

const NAME = '`npm ci && npm start` until it answers, beside `npm ci`'

/** A sample takes a minute. */
export async function firstStart({ folder }: Place): Promise<Scenario> {
  return {
    measures: { [NAME]: { unit: 'ms', goal: { at: 'most', ratio: 2 } } },
    async sample(side) {
      const clone = join(folder, 'clone')
      await cloneInto(clone)
      const from = performance.now()
      await install(clone)
      if (side === 'ours') await startOnce(clone)
      const ms = performance.now() - from
      await rm(clone, { recursive: true, force: true })
      return { [NAME]: ms }
    },
  }
}
