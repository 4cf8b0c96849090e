// The mutants of all rooms in a seeded order, and those that no test can kill.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOMS, sourcesOf } from './rooms.ts'
import { listMutants, type Mutant } from './source-mutants.ts'

const EQUIVALENTS = join(import.meta.dirname, 'equivalents.json')

/** All mutants of the sources under `root`. */
export const allMutants = (root: string): Mutant[] =>
  ROOMS.flatMap((room) =>
    sourcesOf(room, root).flatMap(
      (file) => listMutants(file, readFileSync(join(root, file), 'utf8')).mutants,
    ),
  )

/** Mutants that behave as the original does, by key, with the reason. */
export const readEquivalents = (): Record<string, string> =>
  JSON.parse(readFileSync(EQUIVALENTS, 'utf8')) as Record<string, string>

/**
 * The first `count` in the order of the seed. The place of a mutant depends on its key only, so a change
 * of one function leaves the rest of the sample as it was.
 */
export function sample(mutants: readonly Mutant[], seed: number, count: number): Mutant[] {
  const places = new Map(mutants.map((mutant) => [mutant, hash(`${seed} ${mutant.key}`)]))
  return mutants.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)).slice(0, count)
}

/** FNV-1a with a final mix (MurmurHash3), because keys often differ in their last letters only. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
