// PNG with a palette: a third of the bytes of one with four channels, for drawings of few colours.
import { crc32, deflateSync } from 'node:zlib'

const COLOURS = 256
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A square image of `size` pixels as PNG. Beyond 256 colours the rarest take the nearest of the others. */
export function smallPng(size: number, rgba: Uint8Array): Buffer {
  const colourAt = (at: number) => rgba.subarray(at * 4, at * 4 + 4)
  const counts = new Map<string, { count: number; colour: Uint8Array }>()
  for (let at = 0; at < size * size; at += 1) {
    const colour = colourAt(at)
    const known = counts.get(colour.join())
    if (known) known.count += 1
    else counts.set(colour.join(), { count: 1, colour })
  }
  const byUse = [...counts].toSorted(([, a], [, b]) => b.count - a.count)
  // Those that are not opaque first: the list of alphas ends with the last of them.
  const palette = byUse
    .slice(0, COLOURS)
    .map(([, { colour }]) => colour)
    .toSorted((a, b) => (a[3] ?? 0) - (b[3] ?? 0))
  const indexes = new Map(byUse.map(([key, { colour }]) => [key, nearest(palette, colour)]))
  const rows = Buffer.alloc(size * (size + 1))
  for (let at = 0; at < size * size; at += 1)
    rows[at + Math.floor(at / size) + 1] = indexes.get(colourAt(at).join()) ?? 0
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // Eight bits for each pixel, with a palette.
  header.set([8, 3], 8)
  const alphas = palette.map((colour) => colour[3] ?? 255)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.concat(palette.map((colour) => colour.subarray(0, 3)))),
    chunk('tRNS', Buffer.from(alphas.filter((alpha) => alpha < 255))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function nearest(palette: readonly Uint8Array[], colour: Uint8Array): number {
  const distances = palette.map((one) =>
    one.reduce((sum, channel, at) => sum + (channel - (colour[at] ?? 0)) ** 2, 0),
  )
  return distances.indexOf(Math.min(...distances))
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
