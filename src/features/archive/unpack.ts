import { Unzip, UnzipInflate, UnzipPassThrough } from 'fflate'

/** Deflate makes at most 1,032 bytes of one: so much is unpacked before the size is looked at again. */
const STEP_BYTES = 16_384
const END_OF_DIRECTORY = [0x50, 0x4b, 0x05, 0x06]
const END_BYTES = 22

/** The archive would take more room than it may. */
export class TooLargeError extends Error {}
/** It is no ZIP, it is cut, or it has a file twice. */
export class DamagedError extends Error {}

/**
 * The unpacked files for which `isWanted`, by name. Stops with a TooLargeError after `most` bytes, whatever size the
 * archive declares; throws a DamagedError for what cannot be read.
 */
export function unpack(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  most: number,
): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  // What is cut after its last file could be read otherwise, without its directory.
  const tail = bytes.subarray(-66_000)
  const isEnd = (_: number, at: number) =>
    END_OF_DIRECTORY.every((byte, n) => tail[at + n] === byte) && at + END_BYTES <= tail.length
  if (!tail.some(isEnd)) throw new DamagedError()
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  const started = new Set<string>()
  let total = 0
  const unzip = new Unzip((file) => {
    if (!isWanted(file.name)) return
    if (started.has(file.name)) throw new DamagedError()
    started.add(file.name)
    const chunks: Uint8Array[] = []
    file.ondata = (problem, chunk, isLast) => {
      // The library passes on here what was thrown here.
      if (problem) throw problem instanceof TooLargeError ? problem : new DamagedError()
      total += chunk.length
      if (total > most) throw new TooLargeError()
      chunks.push(chunk)
      if (isLast) files.set(file.name, joined(chunks))
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  unzip.register(UnzipPassThrough)
  try {
    for (let at = 0; at < bytes.length; at += STEP_BYTES)
      unzip.push(bytes.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= bytes.length)
  } catch (problem) {
    if (problem instanceof TooLargeError) throw problem
    throw new DamagedError()
  }
  if (files.size < started.size) throw new DamagedError()
  return files
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
