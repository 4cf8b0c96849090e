// Makes one backup and proves it: restored into an empty database, it must give the rows that were read.
import { randomBytes } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupConfiguration } from '../../configuration/backups.ts'
import type { Database } from '../../database/database.ts'
import type { ThrowAway } from '../../database/connection.ts'
import { makeFolder } from '../../database/data-dir-permissions.ts'
import { errorFields, log } from '../../log.ts'
import { dump, dumpRows, restoreRows, writeBackup } from '../backup.ts'
import { lackOfRoom, leavingRoom, reasonOfDatabase, requireRoom, tableBytes } from './room.ts'
import { readBackupStatus, writeBackupStatus, type BackupStatus } from './status.ts'
import { addLine, findDifference, type TableDigests } from './table-digests.ts'

/** What a backup is made of. */
export interface BackupSource {
  database: Database
  /** The room that the database in it needs is left. */
  dataDir: string
  now: () => Date
  /** Aborted when the server stops. */
  signal: AbortSignal
}

const RETRY_MS = 60 * 60_000

/** After a failure the next attempt is this early. */
export const retryMs = ({ everyMs }: BackupConfiguration): number => Math.min(RETRY_MS, everyMs)

/** How long until the next attempt is due; 0 or less: now. */
function untilDueMs(configuration: BackupConfiguration, status: BackupStatus, now: Date): number {
  const { last_attempt_at, last_failure, writing } = status
  if (last_attempt_at === null) return 0
  const hasFailed = last_failure !== null || writing !== null
  const passedMs = now.getTime() - Date.parse(last_attempt_at)
  // A clock that was set back does not postpone backups.
  if (passedMs < 0) return 0
  return (hasFailed ? retryMs(configuration) : configuration.everyMs) - passedMs
}

const isDue = (...about: Parameters<typeof untilDueMs>) => untilDueMs(...about) <= 0

/** How long until the next backup is due; 0 or less: now. Rejects when the status cannot be read. */
export const untilNextBackupMs = async (
  configuration: BackupConfiguration,
  now: Date,
): Promise<number> => untilDueMs(configuration, await readBackupStatus(configuration.dir), now)

const reasonOf = (error: unknown) =>
  reasonOfDatabase(error) ?? (error instanceof Error ? error.message : String(error))

/**
 * Makes a backup when one is due, unless another process is at it. Returns the new status; undefined when nothing was
 * done. Throws when the status cannot be read or written, and when the signal is aborted.
 */
export async function backUpWhenDue(
  configuration: BackupConfiguration,
  source: BackupSource,
): Promise<BackupStatus | undefined> {
  const { dir } = configuration
  const { now } = source
  makeFolder(dir)
  if (!isDue(configuration, await readBackupStatus(dir), now())) return undefined
  const throwAway = await source.database.openThrowAway()
  if (!throwAway) return undefined
  try {
    // Another process may have been faster.
    const before = await afterKilled(dir, await readBackupStatus(dir))
    if (!isDue(configuration, before, now())) return undefined
    const time = now().toISOString()
    const file = `cairn-${time.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')}-${randomBytes(4).toString('hex')}.backup`
    const started = { ...before, writing: file, last_attempt_at: time }
    await writeBackupStatus(dir, started)
    const after = await attempt(configuration, source, { throwAway, started, file, time })
    await writeBackupStatus(dir, after)
    // What is recorded stays as it is, whatever fails from here on.
    return await prune(configuration, after).catch((error: unknown) => {
      log('error', 'old backups not deleted', errorFields(error))
      return after
    })
  } finally {
    await throwAway
      .close()
      .catch((error: unknown) => log('error', 'proof of a backup not closed', errorFields(error)))
  }
}

const notProven = ({ file, reason }: { file: string; reason: string }) =>
  `${file} is not proven: ${reason}`

/** Deletes what a killed process began to write, lists what it completed but did not prove, and records that. */
async function afterKilled(dir: string, status: BackupStatus): Promise<BackupStatus> {
  const { writing, last_attempt_at, backups } = status
  if (writing === null || last_attempt_at === null) return status
  const path = join(dir, writing)
  await rm(`${path}.part`, { force: true })
  const complete = await stat(path).catch(() => undefined)
  if (!complete) return { ...status, last_failure: 'the server ended before it was written.' }
  const reason = 'the server ended before it was proven.'
  const unproven = { rows: 0, proven: false, reason }
  const backup = { file: writing, written_at: last_attempt_at, bytes: complete.size, ...unproven }
  return { ...status, backups: [...backups, backup], last_failure: notProven(backup) }
}

async function attempt(
  { dir, passphrase }: BackupConfiguration,
  { database, dataDir, signal }: BackupSource,
  about: { throwAway: ThrowAway; started: BackupStatus; file: string; time: string },
): Promise<BackupStatus> {
  const { throwAway, started, file, time } = about
  const path = join(dir, file)
  const expected: TableDigests = new Map()
  let bytes: number
  try {
    const last = started.backups.at(-1)?.bytes ?? 0
    bytes = Math.max(await database.system(tableBytes), last)
    requireRoom(dir, bytes)
    const writeLines = (write: (line: string) => Promise<void>) => {
      const writeLine = leavingRoom(dataDir, path, write)
      return dump(database, (line) => {
        signal.throwIfAborted()
        addLine(expected, line)
        return writeLine(line)
      })
    }
    await writeBackup(path, writeLines, passphrase)
  } catch (error) {
    signal.throwIfAborted()
    return { ...started, writing: null, last_failure: reasonOf(error) }
  }
  const freeBytes = database.freeBytes?.() ?? Infinity
  const lack = lackOfRoom('on the disk of the database', { bytes, freeBytes })
  const noRoom = lack === undefined ? undefined : `there is no room for the proof: it ${lack}`
  const reason =
    noRoom ??
    (await throwAway
      .use(async (tx) => {
        const options = {
          passphrase: async () => passphrase,
          raiseVersions: false,
          signal,
          ...(database.freeBytes && { freeBytes: database.freeBytes }),
        }
        await restoreRows(tx, path, options)
        const restored: TableDigests = new Map()
        await dumpRows(tx, (line) => {
          signal.throwIfAborted()
          addLine(restored, line)
        })
        return findDifference(expected, restored) ?? null
      })
      .catch((error: unknown) => {
        signal.throwIfAborted()
        return reasonOf(error)
      }))
  const { size } = await stat(path)
  const rows = [...expected.values()].reduce((sum, table) => sum + table.rows, 0)
  const backup = { file, written_at: time, bytes: size, rows, proven: reason === null, reason }
  const last_failure = reason === null ? null : notProven({ file, reason })
  return { ...started, writing: null, backups: [...started.backups, backup], last_failure }
}

/**
 * After a proven backup, deletes what is older than the proven ones to keep. Files that the status does not list were
 * written by others, and stay.
 */
async function prune(
  { dir, keep }: BackupConfiguration,
  status: BackupStatus,
): Promise<BackupStatus> {
  if (!status.backups.at(-1)?.proven) return status
  const kept = new Set(status.backups.filter(({ proven }) => proven).slice(-keep))
  const old = status.backups.filter((backup) => !kept.has(backup))
  if (old.length === 0) return status
  for (const { file } of old) await rm(join(dir, file), { force: true })
  const pruned = { ...status, backups: [...kept] }
  await writeBackupStatus(dir, pruned)
  return pruned
}
