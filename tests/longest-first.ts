// Starts the files that take longest first, so that no worker is left with one of them at the end, while
// the others have nothing to do. Vitest itself orders by the durations of the last run, which a new clone
// does not have, and by size.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than their size suggests, longest first. */
const LONG = [
  'accessibility/states',
  'sync/token-expired-while-offline',
  'offline/two-builds-side-by-side',
  'accessibility/screens',
  'shell/untranslated-text',
  'sync/sync-centre',
  'account/settings',
  'plans/search-typed-slowly',
  'offline/dependent-records-made-offline',
  'shell/installed-app',
  'sync/error-responses',
  'account/data-readable-after-sign-out',
  'offline/browser-killed-after-save',
  'offline/written-by-the-previous-build',
  'shell/third-parties',
  'engines/firefox',
  'offline/two-organisations',
  'sync/app-closed-before-sending',
  'accessibility/settings',
  'accessibility/every-route',
  'process/durability',
  'process/start',
  'postgres/several-processes',
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
