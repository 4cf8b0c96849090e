// Password hashes: argon2id with 46 MiB and one pass.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { hashInTurn, type HashRequest } from './hash-queue.ts'

const MEMORY_KIB = 47_104

const derive = (password: string, nonce: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    argon2(
      'argon2id',
      { message: password, nonce, parallelism: 1, tagLength: 32, memory: MEMORY_KIB, passes: 1 },
      (error, key) => (error ? reject(error) : resolve(key)),
    )
  })

/** For demo data and mailed links, of which there are never many: they take the turns of a sign-in. */
const AS_SIGN_IN: HashRequest = { purpose: 'sign-in', network: '' }

/** The string to store for a password, with a new random salt. Throws a 503 HttpError as `hashInTurn`. */
export async function hashPassword(password: string, request = AS_SIGN_IN): Promise<string> {
  const nonce = randomBytes(16)
  const key = await hashInTurn(request, () => derive(password, nonce))
  return `argon2id$${nonce.toString('base64')}$${key.toString('base64')}`
}

/**
 * Whether the password matches the stored hash. With undefined (an unknown user) it takes the same time.
 * `admit` runs when it is the password's turn, and prevents the check by throwing. Throws a 503 HttpError as
 * `hashInTurn`.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  request = AS_SIGN_IN,
  admit: () => Promise<void> = async () => undefined,
): Promise<boolean> {
  const [, nonce, key] = stored?.split('$') ?? []
  const actual = await hashInTurn(request, async () => {
    await admit()
    return derive(password, nonce ? Buffer.from(nonce, 'base64') : randomBytes(16))
  })
  return key !== undefined && timingSafeEqual(actual, Buffer.from(key, 'base64'))
}
