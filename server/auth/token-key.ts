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
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { syncPath } from '../database/disk.ts'
import { StartError } from '../errors/start-error.ts'

const KEY_BYTES = 32

const pathIn = (dataDir: string) => join(dataDir, 'token-key')

/**
 * The key of the data folder, 32 bytes, created when there is none. Throws StartError when the file is
 * damaged, or of another user.
 */
export function loadOrCreateTokenKey(dataDir: string): Buffer {
  const path = pathIn(dataDir)
  if (!existsSync(path)) {
    const temporaryPath = `${path}.new`
    // One that is there may belong to another user, or be a link.
    rmSync(temporaryPath, { force: true })
    const descriptor = openSync(temporaryPath, 'wx', 0o600)
    writeSync(descriptor, randomBytes(KEY_BYTES).toString('hex'))
    fsyncSync(descriptor)
    closeSync(descriptor)
    renameSync(temporaryPath, path)
    syncPath(dataDir)
  }
  return loadKey(path)
}

/** Throws StartError when the data folder has a key that is damaged, or of another user. */
export function requireTokenKey(dataDir: string): void {
  const path = pathIn(dataDir)
  if (existsSync(path)) loadKey(path)
}

function loadKey(path: string): Buffer {
  const key = readKey(path)
  if (key?.length !== KEY_BYTES)
    throw new StartError(
      `The key in ${path} is damaged. Put back a copy, or move it away: mails that wait are not sent then, and some devices have to sign in again.`,
    )
  return key
}

/** Undefined for what is no file that can be read. Throws StartError for a file of another user. */
function readKey(path: string): Buffer | undefined {
  try {
    return Buffer.from(readFileSync(path, 'utf8'), 'hex')
  } catch (error) {
    // Such a key is whole, so that nobody should move it away.
    if (['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw new StartError(
        `The key in ${path} belongs to another user. Run the server as that user, or give the file back with chown.`,
        { cause: error },
      )
    return undefined
  }
}
