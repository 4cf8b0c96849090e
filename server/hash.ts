// The one hash function of the server.
import { createHash } from 'node:crypto'

/** The SHA-256 hash of bytes or of a text in UTF-8. */
export const sha256 = (data: string | Uint8Array): Buffer =>
  createHash('sha256').update(data).digest()

/** The key of an advisory lock for a text, which may have characters that PostgreSQL refuses. */
export const lockKey = (text: string): number => sha256(text).readInt32BE()
