// The projects of the repository for runs on mutants: files in the order given, one at a time.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import base from '../../vitest.config.ts'

const root = join(import.meta.dirname, '../..')
/** A copy of the repository has a link to the packages, and Vite loads nothing from outside of its folders. */
const server = { fs: { allow: [root, realpathSync(join(root, 'node_modules'))] } }
const order = (process.env['MUTATION_ORDER'] ?? '').split(',')

/** Runs the cheapest file first. */
class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      order.findIndex((file) => moduleId.endsWith(`/${file}`))
    return files.toSorted((a, b) => place(a) - place(b))
  }
}

const projects = (base.test?.projects ?? []) as TestProjectInlineConfiguration[]

export default defineConfig({
  root,
  test: {
    reporters: ['default'],
    fileParallelism: false,
    maxWorkers: 1,
    sequence: { sequencer: GivenOrder },
    // In the copy, not in the linked `node_modules`.
    fsModuleCachePath: join(root, '.cache/modules'),
    projects: projects.map(({ test, ...project }) => ({
      ...project,
      root,
      server,
      test: {
        ...test,
        setupFiles: [
          ...[test?.setupFiles ?? []].flat(),
          ...(process.env['MUTATION_HITS'] ? ['tests/mutation/record-hits.ts'] : []),
        ],
      },
    })),
  },
})
