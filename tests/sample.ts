// How much a run does of what takes long: a sample in `npm test`, all of it in `npm run test:long`.
import { createHash } from 'node:crypto'

export const isLongRun = process.env['LONG_TESTS'] === '1'

/** Files of tests that a long run has only, for the reasons of `longTest`. */
const LONG_FILES = [
  'browser/accessibility/large-text',
  'browser/accessibility/settings',
  'browser/account/google-sign-in',
  'browser/account/oidc-sign-in',
  'browser/account/passkeys',
  'browser/engines/firefox',
  'browser/engines/webkit',
  'browser/offline/build-of-an-open-tab-deleted',
  'browser/offline/update-while-worker-sends',
  'browser/plain/other-servers',
  'browser/plans/archive',
  'browser/plans/many-initiatives-and-renewals',
  'browser/plans/search-typed-slowly',
  'browser/plans/views-on-a-phone',
  'browser/plans/templates',
  'browser/plans/while-you-were-away',
  'browser/shell/blank-on-paper',
  'browser/shell/third-parties',
  'browser/shell/untranslated-text',
  'browser/specification/specification-navigation',
  'browser/specification/specification-palette-search',
  'browser/sync/newer-text-deleted-unseen',
  'browser/sync/page-frozen-while-waiting',
  'browser/sync/token-expires-while-sending',
  'server/operations/damaged-encrypted-backup',
  'server/postgres/dead-connection',
  'server/process/cluster/memory-limit',
  'server/process/power-cut',
  'server/process/release-archive',
  'server/process/traces',
].map((name) => `tests/${name}.test.ts`)

/** Folders whose tests need a database, and no process: with PostgreSQL always, embedded in a long run only. */
const LONG_WHEN_EMBEDDED = ['auth', 'http', 'jobs', 'operations', 'organisations'].map(
  (name) => `tests/server/${name}/**`,
)

/** What a run leaves out. */
export const leftOut = isLongRun ? [] : LONG_FILES
export const leftOutWhenEmbedded = isLongRun ? [] : LONG_WHEN_EMBEDDED

/** A number below 1 that is always the same for the same text. */
const fractionOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32

/** One of the items, chosen by `seed`. Throws when there is none. */
export function pick<T>(items: readonly T[], seed: string): T {
  const item = items[Math.floor(fractionOf(seed) * items.length)]
  if (item === undefined) throw new Error('There is nothing to pick from.')
  return item
}

/** All items in a long run, else `count` of them, chosen by `seed`, in their order. */
export function sampleOf<T>(items: readonly T[], count: number, seed: string): T[] {
  if (isLongRun) return [...items]
  const ranked = items.map((item, at) => ({ item, at, rank: fractionOf(`${seed} ${at}`) }))
  const chosen = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, count)
  return chosen.toSorted((a, b) => a.at - b.at).map(({ item }) => item)
}
