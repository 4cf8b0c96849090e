// The key that refresh tokens are derived with. It is created once and must survive restarts: with another
// key, an app that lost the response to a refresh would be signed out by a deploy.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { syncPath } from '../database/disk.ts'
import { StartError } from '../errors/start-error.ts'

const KEY_BYTES = 32

/**
 * The key of the data folder, 32 bytes, created when there is none. Throws StartError when the file is
 * damaged.
 */
export function loadOrCreateTokenKey(dataDir: string): Buffer {
  const path = join(dataDir, 'token-key')
  if (!existsSync(path)) {
    const temporaryPath = `${path}.new`
    const descriptor = openSync(temporaryPath, 'w', 0o600)
    writeSync(descriptor, randomBytes(KEY_BYTES).toString('hex'))
    fsyncSync(descriptor)
    closeSync(descriptor)
    renameSync(temporaryPath, path)
    syncPath(dataDir)
  }
  const key = Buffer.from(readFileSync(path, 'utf8'), 'hex')
  if (key.length !== KEY_BYTES)
    throw new StartError(
      `The key in ${path} is damaged. Restore it from a backup, or delete it: then mails that wait are not sent, and some users have to sign in again.`,
    )
  return key
}
