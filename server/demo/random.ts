// Chance that falls the same way on every machine.
import { v7 as uuidv7 } from 'uuid'

export interface SeededRandom {
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  pick<T>(items: readonly T[]): T
  /** A UUID v7 of that instant. */
  id(at: Date): string
}

const DEFAULT_SEED = 20_260_301

export function createSeededRandom(seed = DEFAULT_SEED): SeededRandom {
  let state = seed
  /** 32 bits of the mulberry32 sequence. */
  const bits = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const between = (least: number, most: number) => least + (bits() % (most - least + 1))
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
