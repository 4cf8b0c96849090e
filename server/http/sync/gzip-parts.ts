// Gzip files (RFC 1952) of parts that are compressed separately: a kept part is compressed once, whatever is sent
// before and after it. They form one gzip member, because browsers ignore what follows the first.
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

/** A separately compressed text. */
export interface GzipPart {
  /** Deflate blocks that end at a byte, none of them marked as the last of a file. */
  blocks: Buffer
  crc: number
  /** Bytes of the text. */
  length: number
  /** Multiplies the CRC of the text before it: see `crcWith`. */
  factor: number
}

// Deflate, no time, unknown system.
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty block, the last of its file. */
const LAST_BLOCK = Buffer.from([3, 0])
const STORED_HEADER_BYTES = 5

const deflate = promisify(deflateRaw)

const partOf = (text: Buffer, blocks: Buffer): GzipPart => ({
  blocks,
  crc: crc32(text),
  length: text.byteLength,
  factor: factorOf(text.byteLength),
})

/** Compresses a text. */
export async function compressPart(text: string): Promise<GzipPart> {
  const bytes = Buffer.from(text)
  return partOf(bytes, await deflate(bytes, { finishFlush: constants.Z_SYNC_FLUSH }))
}

/** A text of at most 65,535 bytes, not compressed. */
export function storePart(text: string): GzipPart {
  const bytes = Buffer.from(text)
  const header = Buffer.alloc(STORED_HEADER_BYTES)
  header.writeUInt16LE(bytes.byteLength, 1)
  header.writeUInt16LE(bytes.byteLength ^ 0xffff, 3)
  return partOf(bytes, Buffer.concat([header, bytes]))
}

/** Several parts as one, so that they can be kept together. */
export function joinParts(...parts: readonly GzipPart[]): GzipPart {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  // Not from the pool of Node.js: a few bytes that are kept would keep a whole slab of it in memory.
  const blocks = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.blocks.length, 0))
  let end = 0
  for (const part of parts) end += part.blocks.copy(blocks, end)
  return {
    blocks,
    crc: parts.reduce(crcWith, 0),
    length,
    factor: factorOf(length),
  }
}

/** A gzip file that is written part by part. */
export class GzipFile {
  #crc = 0
  #length = 0

  /** The header. */
  begin(): Buffer {
    return HEADER
  }

  /** The bytes of the next part. */
  add(part: GzipPart): Buffer {
    this.#crc = crcWith(this.#crc, part)
    this.#length += part.length
    return part.blocks
  }

  /** The last block and the trailer. */
  end(): Buffer {
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(this.#crc, 0)
    trailer.writeUInt32LE(this.#length % 2 ** 32, 4)
    return Buffer.concat([LAST_BLOCK, trailer])
  }
}

/** The CRC of a text with the CRC `crc`, followed by the part. */
function crcWith(crc: number, part: GzipPart): number {
  return (multiply(part.factor, crc) ^ part.crc) >>> 0
}

/** The product of two polynomials over GF(2), modulo that of gzip's CRC: bits in reverse, the highest stands for x⁰. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 0x80000000, factor = b; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor
    factor = factor & 1 ? (factor >>> 1) ^ 0xedb88320 : factor >>> 1
  }
  return product
}

/** x⁸ to the power of `bytes`. */
function factorOf(bytes: number): number {
  let factor = 0x80000000
  for (let left = bytes, power = 0x00800000; left > 0; left >>>= 1) {
    if (left & 1) factor = multiply(power, factor)
    power = multiply(power, power)
  }
  return factor
}
