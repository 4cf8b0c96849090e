// Whether there is room for a backup, its proof or a restore; and what it means when a database has none.
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { DatabaseUnavailableError, type Tx } from '../../database/connection.ts'
import { sqlState } from '../../database/database.ts'
import { MIN_FREE_BYTES, freeBytesOf } from '../../database/disk.ts'
import { StartError } from '../../errors/start-error.ts'

const MEGABYTE = 2 ** 20

/** How much room the tables of the current schema take, about as much as a backup of them. */
export async function tableBytes(tx: Tx): Promise<number> {
  const { rows } = await sql<{ bytes: string | number }>`
    select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(tx)
  return Number(rows[0]?.bytes)
}

/**
 * How much is needed and free, as the end of a sentence; undefined when there is room. Beside the bytes there must be
 * as much as the database needs to go on writing.
 */
export function lackOfRoom(
  place: string,
  { bytes, freeBytes }: { bytes: number; freeBytes: number },
): string | undefined {
  const neededBytes = bytes + MIN_FREE_BYTES
  if (freeBytes >= neededBytes) return undefined
  const [needed, free] = [Math.ceil(neededBytes / MEGABYTE), Math.floor(freeBytes / MEGABYTE)]
  return `needs ${needed} MB ${place}, and ${free} MB are free.`
}

/** There is no room for a backup. */
export class NoRoomError extends StartError {}

/** Throws NoRoomError when the folder has no room for a backup of that size. */
export function requireRoom(folder: string, bytes: number): void {
  const lack = lackOfRoom(`in ${folder}`, { bytes, freeBytes: freeBytesOf(folder) })
  if (lack !== undefined) throw new NoRoomError(`There is no room for a backup: it ${lack}`)
}

/** Characters from one look at the disk to the next. */
const LOOK_EVERY = 65_536

type Write = (part: string) => Promise<void>

/**
 * Writes parts of a file. Throws NoRoomError before they take the room that the database in `dataDir` needs to go on
 * writing, where the file is on its disk.
 */
export function leavingRoom(dataDir: string, file: string, write: Write): Write {
  const folder = dirname(file)
  let isOnItsDisk: boolean | undefined
  let length = LOOK_EVERY
  return (part) => {
    // Once there is something to write: before, another error may say that the folder is another user's.
    isOnItsDisk ??= statSync(folder).dev === statSync(dataDir, { throwIfNoEntry: false })?.dev
    if (!isOnItsDisk) return write(part)
    length += part.length
    if (length >= LOOK_EVERY) {
      requireRoom(folder, length)
      length = 0
    }
    return write(part)
  }
}

export const DATABASE_FULL = 'the database’s disk has no room. Make room, then try again.'
const DISK_FULL = '53100'
const READ_ONLY = '25006'
/**
 * The rows are wrong: class 22 and 23 of https://www.postgresql.org/docs/current/errcodes-appendix.html, and columns
 * that are unknown.
 */
const OF_THE_ROWS = /^(22|23|42703)/
/** The connection broke, or the server ended it. */
const ENDED = /^(08|57P)/

/** Why the database did not take the rows, and what to do; undefined for any other error. */
export function reasonOfDatabase(error: unknown): string | undefined {
  const state = sqlState(error)
  if (error instanceof DatabaseUnavailableError || (state !== undefined && ENDED.test(state)))
    return 'the database ended meanwhile. Its log says why; then try again.'
  if (state === undefined) return undefined
  if (state === DISK_FULL) return DATABASE_FULL
  if (state === READ_ONLY)
    return 'the database takes no writes: less than 64 MB are free on its disk, or it is a replica.'
  return OF_THE_ROWS.test(state)
    ? 'its rows are inconsistent.'
    : `the database failed with SQLSTATE ${state}.`
}
