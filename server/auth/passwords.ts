// Password hashes: argon2id with 46 MiB and one pass (contract, Tokens).
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

const MEMORY_KIB = 47_104
const MAX_CONCURRENT = 2

let runningCount = 0
const waiting: (() => void)[] = []

/** At most two run at once, because each takes 46 MiB and a core for a tenth of a second. */
async function derive(password: string, nonce: Buffer): Promise<Buffer> {
  if (runningCount >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve))
  else runningCount += 1
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      argon2(
        'argon2id',
        { message: password, nonce, parallelism: 1, tagLength: 32, memory: MEMORY_KIB, passes: 1 },
        (error, key) => (error ? reject(error) : resolve(key)),
      )
    })
  } finally {
    const next = waiting.shift()
    if (next) next()
    else runningCount -= 1
  }
}

/** The string to store for a password, with a new random salt. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const key = await derive(password, nonce)
  return `argon2id$${nonce.toString('base64')}$${key.toString('base64')}`
}

/** Whether the password matches the stored hash. With undefined (an unknown user) it takes the same time. */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const [, nonce, key] = stored?.split('$') ?? []
  const actual = await derive(password, nonce ? Buffer.from(nonce, 'base64') : randomBytes(16))
  return key !== undefined && timingSafeEqual(actual, Buffer.from(key, 'base64'))
}
