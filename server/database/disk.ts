// The disk below the server's own database: whether it has room, flushing to it, short names for sockets on it, and new
// files.
import { closeSync, fsyncSync, openSync, readdirSync, statfsSync } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../errors/start-error.ts'

/**
 * Below this nothing is written any more: PostgreSQL panics where it finds no room for its log. Four segments
 * of the log.
 */
export const MIN_FREE_BYTES = 64 * 2 ** 20
/** The same for sessions: as long as these are written, devices can read. */
export const MIN_FREE_BYTES_FOR_SESSIONS = MIN_FREE_BYTES / 2

/**
 * The same for the purge: while it deletes, the tables of sessions do not grow, and it leaves these the rest of the
 * room.
 */
export const MIN_FREE_BYTES_FOR_PURGE = MIN_FREE_BYTES * 0.75

/** Free room on the disk of a folder, for users other than root. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Whether the disk of a folder has too little room to write on. */
export const isDiskFull = (folder: string): boolean => freeBytesOf(folder) < MIN_FREE_BYTES

/** https://sqlite.org/rescode.html */
const SQLITE_FULL = 13

/** That the disk of a folder is full, where an error says so, or that its user may take no more room on it. */
export function diskFull(folder: string, error: unknown): StartError | undefined {
  const { code = '', errcode } = error as { code?: string; errcode?: number }
  if (!['ENOSPC', 'EDQUOT'].includes(code) && errcode !== SQLITE_FULL) return undefined
  return new StartError(`The disk of ${folder} is full. Make room first.`, { cause: error })
}

/** Flushes a folder to the disk: all files in it, and the directory entries. */
export function syncFolder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncFolder(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}

/** Flushes one file or directory to the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Opens a new file that only its owner can read, in place of any other of that name: another file would keep its owner
 * and rights, and a link would be followed.
 */
export async function openNewFile(path: string): Promise<FileHandle> {
  await rm(path, { force: true })
  return open(path, 'wx', 0o600)
}

/**
 * A folder under a name that is short enough for sockets in it, until it is closed: the name of a socket has
 * room for about 100 characters, and a data folder may be deeper.
 */
export function openSocketFolder(folder: string): { path: string; close(): void } {
  if (process.platform !== 'linux') return { path: folder, close: () => undefined }
  const descriptor = openSync(folder, 'r')
  return { path: `/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) }
}
