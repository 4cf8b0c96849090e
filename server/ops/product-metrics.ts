// Metrics of the product: what waits, what was repeated, how much room there is, how old the backup is. Labels
// are from fixed lists: no ids, and no text of users.
import { statfs } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/database.ts'
import { lastProven, readBackupStatus } from './backups/status.ts'

/** Where the values come from. */
export interface ProductSources {
  database: Database
  now: () => Date
  /** Folders whose disk is watched, by label. */
  folders: Readonly<Record<string, string>>
  /** Undefined: no backups are made by themselves. */
  backups: { dir: string; haveFailedToBegin: () => boolean } | undefined
  openStreams: () => number
  /** How many devices run each version of the app. */
  appVersions: () => ReadonlyMap<string, number>
}

type Backups = NonNullable<ProductSources['backups']>

/** Counters, and gauges that are read when they are asked for. */
export interface ProductMetrics {
  record(answered: { status: number; replayed: boolean }): void
  /** Reads the gauges. What cannot be read within two seconds is left out. */
  refresh(): Promise<void>
}

const QUEUES = { mail: 'mails', push: 'pushes' } as const
const READ_TIMEOUT_MS = 2_000

/** Registers the metrics. */
export function createProductMetrics(registry: Registry, sources: ProductSources): ProductMetrics {
  const registers = [registry]
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const replays = new Counter({
    name: 'cairn_idempotent_replays_total',
    help: 'Requests answered with the stored answer to an earlier one.',
    registers,
  })
  const staleWrites = new Counter({
    name: 'cairn_stale_writes_total',
    help: 'Writes rejected with 412, because the record had changed.',
    registers,
  })
  const jobs = gauge('cairn_queue_jobs', 'Mails and notifications that wait.', ['queue'])
  const oldestSeconds = gauge(
    'cairn_queue_oldest_seconds',
    'Age of the oldest job that waits, in seconds; 0 when none waits.',
    ['queue'],
  )
  const streams = gauge('cairn_open_streams', 'Open event streams of this process.')
  const devices = gauge(
    'cairn_devices',
    'Devices that called this process within a day, by the version of their app.',
    ['version'],
  )
  const databaseBytes = gauge('cairn_database_size_bytes', 'Size of the database on its disk.')
  const freeBytes = gauge('cairn_disk_free_bytes', 'Free space on the disk of a folder.', [
    'folder',
  ])
  const provenAt = gauge(
    'cairn_backup_last_proven_timestamp_seconds',
    'When the newest proven backup was made, in seconds since 1970; absent when there is none.',
  )
  const backupFailed = gauge(
    'cairn_backup_last_attempt_failed',
    '1 when the last attempt made no proven backup.',
  )

  const readDatabase = () =>
    sources.database.system(async (tx) => {
      for (const [queue, table] of Object.entries(QUEUES)) {
        const { count } = await tx
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        const oldest = await tx
          .selectFrom(table)
          .select('id')
          .orderBy('id')
          .limit(1)
          .executeTakeFirst()
        const age = oldest ? sources.now().getTime() - uuidTimeMs(oldest.id) : 0
        jobs.set({ queue }, count)
        oldestSeconds.set({ queue }, Math.max(0, age / 1_000))
      }
      const { rows } = await sql<{ bytes: number }>`
        select pg_database_size(current_database()) as bytes`.execute(tx)
      databaseBytes.set(Number(rows[0]?.bytes))
    })

  async function readBackups({ dir, haveFailedToBegin }: Backups): Promise<void> {
    // First: the folder that cannot be written may not be readable either.
    if (haveFailedToBegin()) backupFailed.set(1)
    const status = await readBackupStatus(dir)
    const proven = lastProven(status)
    if (proven !== undefined) provenAt.set(Date.parse(proven) / 1_000)
    backupFailed.set(status.last_failure === null && !haveFailedToBegin() ? 0 : 1)
  }

  async function readDisk(folder: string, path: string): Promise<void> {
    const { bavail, bsize } = await statfs(path)
    freeBytes.set({ folder }, bavail * bsize)
  }

  async function read(): Promise<void> {
    streams.set(sources.openStreams())
    for (const labelled of [jobs, oldestSeconds, freeBytes, devices]) labelled.reset()
    for (const [version, count] of sources.appVersions()) devices.set({ version }, count)
    // A reset gauge without labels is 0, which would look like a value.
    for (const plain of [databaseBytes, provenAt, backupFailed]) plain.remove()
    await Promise.allSettled([
      readDatabase(),
      ...Object.entries(sources.folders).map(([folder, path]) => readDisk(folder, path)),
      ...(sources.backups ? [readBackups(sources.backups)] : []),
    ])
  }

  // One reading at a time: a database that does not answer must not collect waiting transactions.
  let reading: Promise<void> | undefined
  return {
    record({ status, replayed }) {
      if (replayed) replays.inc()
      if (status === 412) staleWrites.inc()
    },
    async refresh() {
      reading ??= read().finally(() => {
        reading = undefined
      })
      await Promise.race([reading, pause(READ_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}

/** The time in a UUID of version 7 (RFC 9562, 5.7), in milliseconds since 1970. */
const uuidTimeMs = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
