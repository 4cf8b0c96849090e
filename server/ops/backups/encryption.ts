// Encryption of backup files: scrypt and AES-256-GCM in chunks, as the STREAM construction does (Hoang, Reyhanitabar,
// Rogaway, Vizár, 2015): each nonce holds the chunk's number and whether it is the last one, so that a missing,
// moved or repeated chunk is noticed.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'

/** The passphrase is missing or wrong, or the file is damaged. The message is for the operator. */
export class DecryptionError extends Error {
  override name = 'DecryptionError'
}

/** What an encrypted file begins with. Changes with the format. */
const MAGIC = Buffer.from('CAIRN ENCRYPTED BACKUP 1\n')
const SALT_BYTES = 16
const CHECK_BYTES = 32
const HEADER_BYTES = MAGIC.length + SALT_BYTES + CHECK_BYTES
const CHUNK_BYTES = 65_536
const TAG_BYTES = 16
const NONCE_BYTES = 12
const CIPHER = 'aes-256-gcm'
/** As strong as N=2^17, p=1 (OWASP Password Storage Cheat Sheet), with 32 MB of memory. */
const SCRYPT_COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 }

const deriveBytes = promisify<string, Buffer, number, typeof SCRYPT_COST, Buffer>(scrypt)

async function deriveKeys(passphrase: string, salt: Buffer) {
  const bytes = await deriveBytes(passphrase.normalize('NFKC'), salt, 64, SCRYPT_COST)
  const check = createHmac('sha256', bytes.subarray(32)).update(MAGIC).update(salt).digest()
  return { key: bytes.subarray(0, 32), check }
}

/** Each file has its own key, so that a counter is a nonce that never repeats. */
function nonceOf(chunk: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeUIntBE(chunk, 5, 6)
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0
  return nonce
}

/** Encrypts one file. The results are appended to it in the order of the calls. */
export interface Encryptor {
  update(plaintext: Buffer): Buffer
  final(): Buffer
}

/** An encryptor with a new key, derived from the passphrase. */
export async function createEncryptor(passphrase: string): Promise<Encryptor> {
  const salt = randomBytes(SALT_BYTES)
  const { key, check } = await deriveKeys(passphrase, salt)
  const header = Buffer.concat([MAGIC, salt, check])
  let rest = Buffer.alloc(0)
  let chunk = 0
  const encrypt = (plaintext: Buffer, isLast: boolean) => {
    const cipher = createCipheriv(CIPHER, key, nonceOf(chunk, isLast))
    if (chunk === 0) cipher.setAAD(header)
    const parts = [cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]
    const encrypted = Buffer.concat(chunk === 0 ? [header, ...parts] : parts)
    chunk += 1
    return encrypted
  }
  return {
    update(plaintext) {
      const encrypted: Buffer[] = []
      rest = Buffer.concat([rest, plaintext])
      // A full chunk waits for the next byte: it may be the last one.
      for (; rest.length > CHUNK_BYTES; rest = rest.subarray(CHUNK_BYTES))
        encrypted.push(encrypt(rest.subarray(0, CHUNK_BYTES), false))
      return Buffer.concat(encrypted)
    },
    final: () => encrypt(rest, true),
  }
}

/** Whether a file that begins with these bytes is encrypted. */
export const isEncrypted = (beginning: Buffer): boolean =>
  beginning.subarray(0, MAGIC.length).equals(MAGIC)

/**
 * The plaintext of an encrypted file. `readBytes(n)` resolves to the next n bytes of it, and to fewer only at its
 * end. Throws DecryptionError.
 */
export async function* decrypt(
  readBytes: (bytes: number) => Promise<Buffer>,
  passphrase: string,
): AsyncGenerator<Buffer> {
  const header = await readBytes(HEADER_BYTES)
  if (header.length < HEADER_BYTES || !isEncrypted(header))
    throw new DecryptionError('it is damaged or cut off.')
  const salt = header.subarray(MAGIC.length, MAGIC.length + SALT_BYTES)
  const { key, check } = await deriveKeys(passphrase, salt)
  if (!timingSafeEqual(check, header.subarray(-CHECK_BYTES)))
    throw new DecryptionError('the passphrase is not the one that it was encrypted with.')
  let next = await readBytes(CHUNK_BYTES + TAG_BYTES)
  for (let chunk = 0; ; chunk += 1) {
    const encrypted = next
    next = await readBytes(CHUNK_BYTES + TAG_BYTES)
    const isLast = next.length === 0
    try {
      const decipher = createDecipheriv(CIPHER, key, nonceOf(chunk, isLast), {
        authTagLength: TAG_BYTES,
      })
      if (chunk === 0) decipher.setAAD(header)
      decipher.setAuthTag(encrypted.subarray(-TAG_BYTES))
      const plaintext = decipher.update(encrypted.subarray(0, -TAG_BYTES))
      yield Buffer.concat([plaintext, decipher.final()])
    } catch (error) {
      throw new DecryptionError('it is damaged or cut off.', { cause: error })
    }
    if (isLast) return
  }
}
