// A Unix socket in the data folder through which the backup command reads from the running server: the embedded
// database can be open in one process only. Only the owner of the process can connect.
import { once } from 'node:events'
import { chmodSync, createReadStream, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { dump, writeBackup } from './backup.ts'
import { openDatabase, type Database } from '../database/database.ts'
import { StartError } from '../errors/start-error.ts'
import { errorFields, log } from '../log.ts'

/** The start of the names of folders in the data folder with a backup that is being sent. */
const SPOOL = 'backup-'
/** A reader that takes nothing for this long is gone. */
const READER_TIMEOUT_MS = 60_000

/** The name is shared by running builds: do not change it. */
const socketPathIn = (dataDir: string) => join(dataDir, 'operator')

/** Opens the embedded database and serves backups on the socket until it is closed. Throws StartError. */
export async function openWithAdminSocket(dataDir: string): Promise<Database> {
  const database = await openDatabase(dataDir)
  const path = socketPathIn(dataDir)
  const server = createServer((_incoming, outgoing) => {
    sendBackup(database, dataDir, outgoing).catch((error: unknown) => {
      log('error', 'backup failed', errorFields(error))
      outgoing.destroy()
    })
  })
  try {
    // A killed process left its socket behind, and what it was sending; the lock of the data folder is ours.
    rmSync(path, { force: true })
    for (const name of readdirSync(dataDir))
      if (name.startsWith(SPOOL)) rmSync(join(dataDir, name), { recursive: true })
    server.listen(path)
    await once(server, 'listening')
    chmodSync(path, 0o600)
  } catch (error) {
    // The path may be too long for a socket. Everything but the backup of a running server works without it.
    log('error', 'admin socket unavailable', errorFields(error))
  }
  return {
    ...database,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      await database.close()
    },
  }
}

/**
 * Writes a backup beside the database first: the database is busy while it is read, and a reader may be slow,
 * stop reading or go away. Rejects when the disk is full.
 */
async function sendBackup(
  database: Database,
  dataDir: string,
  outgoing: ServerResponse,
): Promise<void> {
  const folder = await mkdtemp(join(dataDir, SPOOL))
  try {
    const file = join(folder, 'rows')
    await writeBackup(file, (write) => dump(database, write))
    outgoing.setTimeout(READER_TIMEOUT_MS, () => outgoing.destroy())
    await pipeline(createReadStream(file), outgoing)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Writes the backup of the server that runs on the folder; false when no server is running. Throws StartError
 * when that server breaks it off.
 */
export async function dumpFromRunningServer(
  dataDir: string,
  write: (part: string) => Promise<void>,
): Promise<boolean> {
  const outgoing = request({ socketPath: socketPathIn(dataDir), path: '/backup' })
  outgoing.end()
  const answered = await once(outgoing, 'response').catch(() => undefined)
  if (!answered) return false
  const [incoming] = answered as [IncomingMessage]
  incoming.setEncoding('utf8')
  let isBroken = false
  incoming.once('error', () => (isBroken = true))
  try {
    for await (const part of incoming) await write(String(part))
  } catch (error) {
    if (!isBroken) throw error
    throw new StartError('The server broke the backup off. Its log says why.', { cause: error })
  }
  return true
}
