// How much a run does of what takes long: a sample in `npm test`, all of it in `npm run test:long`.
import { createHash } from 'node:crypto'

export const isLongRun = process.env['LONG_TESTS'] === '1'

/** Tests of what is the same on every database, and takes long: on the embedded one in a long run only. */
export const LONG_WHEN_EMBEDDED = [
  'auth/admission',
  'auth/password-guessing',
  'http/random-requests',
  'jobs/digest-schedule',
  'operations/damaged-encrypted-backup',
].map((name) => `tests/server/${name}.test.ts`)

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
