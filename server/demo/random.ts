// A seeded random source, so that the demo data is the same on every machine.
import { v7 as uuidv7 } from 'uuid'

/** Pseudo-random values. */
export interface SeededRandom {
  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** One of the items. Throws RangeError when there are none. */
  pick<T>(items: readonly T[]): T
  /** A UUID v7 with that timestamp. */
  id(at: Date): string
}

const DEFAULT_SEED = 20_260_301

/** Two sources with the same seed return the same values. */
export function createSeededRandom(seed = DEFAULT_SEED): SeededRandom {
  let state = seed
  /** The next 32 bits of mulberry32. */
  const bits = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const between = (min: number, max: number) => min + (bits() % (max - min + 1))
  return {
    between,
    pick(items) {
      const item = items[bits() % items.length]
      if (item === undefined) throw new RangeError('Nothing to pick from.')
      return item
    },
    id: (at) =>
      uuidv7({
        msecs: at.getTime(),
        seq: bits(),
        random: Uint8Array.from({ length: 16 }, () => between(0, 255)),
      }),
  }
}
