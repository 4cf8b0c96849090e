// Whatever is changed in an encrypted file is noticed: cut off, moved, repeated, flipped.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createEncryptor, decrypt } from '../../../server/ops/backups/encryption.ts'

const PASSPHRASE = 'ein Gruß'
const HEADER_BYTES = 73
const CHUNK_BYTES = 65_536 + 16
const DAMAGED = 'it is damaged or cut off.'

async function encrypted(plaintext: Buffer): Promise<Buffer> {
  const encryptor = await createEncryptor(PASSPHRASE)
  const parts: Buffer[] = []
  // Parts that are longer, shorter and empty.
  for (const [from, to] of [
    [0, 1],
    [1, 1],
    [1, 150_000],
    [150_000, plaintext.length],
  ])
    parts.push(encryptor.update(plaintext.subarray(from, to)))
  return Buffer.concat([...parts, encryptor.final()])
}

async function decrypted(file: Buffer, passphrase = PASSPHRASE): Promise<Buffer> {
  let position = 0
  const readBytes = async (bytes: number) => file.subarray(position, (position += bytes))
  const parts: Buffer[] = []
  for await (const part of decrypt(readBytes, passphrase)) parts.push(part)
  return Buffer.concat(parts)
}

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])(
  '%i bytes come back as they were',
  async (length) => {
    const plaintext = randomBytes(length)
    expect((await decrypted(await encrypted(plaintext))).equals(plaintext)).toBe(true)
  },
)

test('the same passphrase in another Unicode form decrypts', async () => {
  const file = await encrypted(Buffer.from('words'))
  expect(String(await decrypted(file, PASSPHRASE.normalize('NFD')))).toBe('words')
})

const chunk = (file: Buffer, index: number) => {
  const from = HEADER_BYTES + index * CHUNK_BYTES
  return file.subarray(from, from + CHUNK_BYTES)
}
const flip = (file: Buffer, at: number) => {
  const copy = Buffer.from(file)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}
const header = (file: Buffer) => file.subarray(0, HEADER_BYTES)

test.each<[string, (file: Buffer) => Buffer, string]>([
  ['nothing after the header', header, DAMAGED],
  ['half a header', (file) => file.subarray(0, 40), DAMAGED],
  ['the end within a chunk', (file) => file.subarray(0, -1), DAMAGED],
  ['the last chunk missing', (file) => file.subarray(0, HEADER_BYTES + 3 * CHUNK_BYTES), DAMAGED],
  ['bytes after the end', (file) => Buffer.concat([file, Buffer.from('x')]), DAMAGED],
  [
    'two chunks exchanged',
    (file) =>
      Buffer.concat([
        header(file),
        chunk(file, 1),
        chunk(file, 0),
        file.subarray(HEADER_BYTES + 2 * CHUNK_BYTES),
      ]),
    DAMAGED,
  ],
  [
    'a chunk repeated',
    (file) => Buffer.concat([file.subarray(0, HEADER_BYTES + CHUNK_BYTES), chunk(file, 0)]),
    DAMAGED,
  ],
  ['one bit of a chunk', (file) => flip(file, HEADER_BYTES + CHUNK_BYTES + 5), DAMAGED],
  ['one bit of the last byte', (file) => flip(file, file.length - 1), DAMAGED],
  ['one bit of the salt', (file) => flip(file, 30), 'the passphrase is not the one'],
])('%s is noticed', async (_, spoil, words) => {
  const file = await encrypted(randomBytes(200_000))
  await expect(decrypted(spoil(file))).rejects.toThrow(words)
})
