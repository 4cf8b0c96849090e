// Starts the files that take longest first, so that no worker is left with one of them at the end, while
// the others have nothing to do. Vitest itself orders by the durations of the last run, which a new clone
// does not have, and by size.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than their size suggests, longest first. */
const LONG = [
  'simulation/random-faults',
  'plain/random-faults',
  'plain/mutants',
  'simulation/mutants',
  'plain/one-operation-never-answered',
  'process/child-postgres',
  'auth/admission',
  'process/power-cut',
  'process/move-to-postgres',
  'process/durability',
  'postgres/several-processes',
  'process/start',
  'explore/random-use',
  'offline/two-builds-side-by-side',
  'sync/token-expired-while-offline',
  'shell/untranslated-text',
  'accessibility/screens',
  'sync/sync-centre',
  'account/data-readable-after-sign-out',
  'sync/app-closed-before-sending',
  'account/settings',
  'account/security',
  'specification/specification-session',
  'plans/review',
  'shell/palette',
  'accessibility/states',
  'specification/specification-guards',
  'sync/timers-suspended',
  'offline/dependent-records-made-offline',
  'account/members',
  'offline/cold-start-without-network',
  'shell/third-parties',
  'sync/error-responses',
  'account/registration',
  'plain/main-jobs',
  'specification/specification-palette',
  'specification/specification-navigation',
  'offline/written-by-the-previous-build',
  'plain/plain-server',
  'sync/conflicts',
  'offline/two-organisations',
  'plain/errors-without-cors',
  'offline/device-full',
  'accessibility/settings',
  'shell/installed-app',
  'engines/firefox',
].map((name) => `/${name}.test.ts`)

const rankOf = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((name) => moduleId.endsWith(name))
  return at === -1 ? LONG.length : at
}

const groupOf = ({ project }: TestSpecification): string =>
  `${project.config.sequence.groupOrder} ${project.name}`

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is Vitest's own method, which copies
    const sorted = await super.sort(files)
    // Projects stay together and in the order that Vitest has given them.
    const groups = [...new Set(sorted.map(groupOf))]
    return sorted.toSorted(
      (a, b) => groups.indexOf(groupOf(a)) - groups.indexOf(groupOf(b)) || rankOf(a) - rankOf(b),
    )
  }
}
