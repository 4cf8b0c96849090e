// A reserve on the device: room for operations where there is no other.
import type { Store } from '../ports.ts'

/** The reserve, and whether it is there, which is cheaper to read. In the store `cache`. */
export const RESERVE_KEY = '!reserve-bytes'
export const HAS_RESERVE_KEY = '!reserve'
/**
 * Enough for a hundred operations. Chromium stores values above 64 KiB in files of their own: deleting
 * one frees its space at once, deleting smaller values does not.
 */
const RESERVE_BYTES = 256 * 1024

/** Fills the reserve unless it is there. */
export const fillReserve = (store: Store): Promise<void> =>
  store.transact(['cache'], 'readwrite', async (tx) => {
    if ((await tx.get('cache', HAS_RESERVE_KEY)) !== undefined) return
    tx.put('cache', HAS_RESERVE_KEY, true)
    tx.put('cache', RESERVE_KEY, incompressibleBytes(RESERVE_BYTES))
  })

/** By xorshift: browsers compress what they store, and zeros would reserve nothing. */
function incompressibleBytes(size: number): Uint8Array {
  const words = new Uint32Array(size / 4)
  let word = 0x9e3779b9
  for (let index = 0; index < words.length; index += 1) {
    word ^= word << 13
    word ^= word >>> 17
    word ^= word << 5
    words[index] = word
  }
  return new Uint8Array(words.buffer)
}
