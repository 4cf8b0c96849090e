// Starts the files that take longest first, so that no worker is left with one of them at the end, while
// the others have nothing to do. Vitest itself orders by the durations of the last run, which a new clone
// does not have, and by size.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The ends of their paths: files that take longer than their size suggests, longest first. */
export const LONG = [
  'cluster/child-postgres',
  'auth/admission',
  'cluster/move-to-postgres',
  'simulation/mutants',
  'plain/mutants',
  'postgres/several-processes',
  'simulation/model-differs-from-server',
  'cluster/memory-limit',
  'process/load-generator',
  'simulation/random-faults',
  'process/power-cut',
  'plain/random-faults',
  'process/admin-command',
  'process/failed-restore',
  'operations/backup',
  'process/disk-and-readers',
  'process/conform-report',
  'process/durability',
  'process/killed-update',
  'process/release-archive',
  'process/traces',
  'process/start',
  'process/logs-metrics-and-backup',
  'explore/random-use',
  'specification/specification-calls',
  'sync/token-expired-while-offline',
  'offline/two-builds-side-by-side',
  'accessibility/screens',
  'shell/untranslated-text',
  'sync/error-responses',
  'account/security',
  'plans/many-initiatives-and-renewals',
  'shell/broken-screen',
  'accessibility/states',
  'specification/specification-session',
  'plain/errors-without-cors',
  'sync/app-closed-before-sending',
  'offline/device-full',
  'sync/sync-centre',
  'plans/review',
  'shell/palette',
  'offline/cold-start-without-network',
  'offline/written-by-the-previous-build',
  'plain/main-jobs',
  'account/settings',
  'plain/plain-server',
  'account/data-readable-after-sign-out',
  'specification/specification-guards',
  'specification/specification-navigation',
  'plans/deletions',
  'offline/dependent-records-made-offline',
  'plans/accounts-and-renewals',
  'account/members',
  'plans/many-plans-at-once',
  'shell/navigation',
  'engines/webkit',
  'sync/newer-text-deleted-unseen',
  'specification/specification-palette',
  'shell/third-parties',
  'sync/token-expires-while-sending',
  'sync/batch-of-updates',
  'engines/firefox',
  'sync/conflicts',
  'offline/app-updated-with-pending-operations',
  'offline/one-word-changed',
  'sync/two-tabs',
  'offline/browser-killed-after-save',
  'sync/timers-suspended',
  'offline/build-of-an-open-tab-deleted',
  'account/registration',
  'offline/own-edits-become-questions',
  'plans/search-typed-slowly',
  'shell/loaded-before-needed',
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
    // Projects stay together, because files of one share a process; that with the longest file comes first.
    const groups = [...new Set(sorted.toSorted((a, b) => rankOf(a) - rankOf(b)).map(groupOf))]
    return sorted.toSorted(
      (a, b) => groups.indexOf(groupOf(a)) - groups.indexOf(groupOf(b)) || rankOf(a) - rankOf(b),
    )
  }
}
