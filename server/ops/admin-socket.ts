// A Unix socket in the data folder through which commands reach the running server: its own database can be
// open in one process only. Only the owner of the process can connect.
import { once } from 'node:events'
import { chmodSync, createReadStream, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { json } from 'node:stream/consumers'
import { exportOrganisation } from './admin/organisations.ts'
import { perform, type AdminContext } from './admin/perform.ts'
import { AdminError, type AdminAnswer, type AdminRequest } from './admin/request.ts'
import { dump, writeBackup } from './backup.ts'
import { leavingRoom, requireRoom, tableBytes } from './backups/room.ts'
import { openDatabase, type Database } from '../database/database.ts'
import { openSocketFolder } from '../database/disk.ts'
import { moveToPostgres } from './move-to-postgres.ts'
import { StartError } from '../errors/start-error.ts'
import { errorFields, log } from '../log.ts'

/** Prefix of the folders with what is being sent: hidden, and unlike any name of a backup. */
const SPOOL = '.backup-being-sent-'
/** A reader that takes nothing for this long is gone. */
const READER_TIMEOUT_MS = 60_000
const BACKUP_PATH = '/backup'
const ADMIN_PATH = '/admin'
/** Of an answer to an admin request. A server that does not know them sends a backup, without it. */
const ADMIN_TYPE = 'application/json'
/** The header that says why there is no backup, as a part of a URL. */
const REASON = 'x-reason'

type Write = (part: string) => Promise<void>

/** The socket. The name is shared by running builds: do not change it. */
const SOCKET = 'operator'

/**
 * Opens the server's own database, and serves backups and admin requests on the socket until it is closed. Throws
 * StartError.
 */
export async function openWithAdminSocket(
  dataDir: string,
  context: Omit<AdminContext, 'database'>,
  readerTimeoutMs = READER_TIMEOUT_MS,
): Promise<Database> {
  await moveToPostgres(dataDir)
  const database = await openDatabase(dataDir)
  const folder = openSocketFolder(dataDir)
  const path = join(folder.path, SOCKET)
  const spool: Spool = { dataDir, readerTimeoutMs }
  const server = createServer((incoming, outgoing) => {
    const answered =
      incoming.url === ADMIN_PATH
        ? answerAdmin({ ...context, database }, spool, incoming, outgoing)
        : sendBackup(database, spool, outgoing)
    answered.catch((error: unknown) => {
      log('error', `${incoming.url === ADMIN_PATH ? 'admin' : 'backup'} failed`, errorFields(error))
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
    // The file system may take no sockets. Everything but commands at a running server works without it.
    log('error', 'admin socket unavailable', errorFields(error))
  }
  return {
    ...database,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      folder.close()
      await database.close()
    },
  }
}

/** Where, and for how long, what is sent is stored. */
interface Spool {
  dataDir: string
  readerTimeoutMs: number
}

async function answerAdmin(
  context: AdminContext,
  spool: Spool,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = (await json(incoming)) as AdminRequest
  outgoing.setHeader('Content-Type', ADMIN_TYPE)
  try {
    if (request.action === 'organisation export')
      await sendSpooled(spool, outgoing, (write) =>
        exportOrganisation(context.database, request.organisation, write),
      )
    else outgoing.end(JSON.stringify(await perform(context, request)))
    log('info', 'admin request', { action: request.action })
  } catch (error) {
    if (!(error instanceof AdminError || error instanceof StartError)) throw error
    outgoing.statusCode = 422
    outgoing.end(JSON.stringify({ message: error.message }))
  }
}

async function sendBackup(
  database: Database,
  spool: Spool,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    requireRoom(spool.dataDir, await database.system(tableBytes))
    await sendSpooled(spool, outgoing, (write) => dump(database, write))
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    log('error', 'backup failed', errorFields(error))
    // Broken off: a command of an earlier version would take any complete answer for the backup.
    outgoing.writeHead(507, { [REASON]: encodeURIComponent(error.message) })
    outgoing.write('\n', () => outgoing.destroy())
  }
}

/**
 * Writes lines beside the database first: the database is busy while it is read, and a reader may be slow, stop
 * reading or go away. Throws StartError when there is no room for them.
 */
async function sendSpooled(
  { dataDir, readerTimeoutMs }: Spool,
  outgoing: ServerResponse,
  lines: (write: Write) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(dataDir, SPOOL))
  try {
    const file = join(folder, 'rows')
    await writeBackup(file, (write) => {
      const leaving = leavingRoom(dataDir, file, write)
      return lines((part) => {
        // Otherwise a stop, which closes the connection of the reader, would wait until all is written.
        if (outgoing.destroyed) throw new Error('The reader has gone.')
        return leaving(part)
      })
    })
    outgoing.setTimeout(readerTimeoutMs, () => outgoing.destroy())
    await pipeline(createReadStream(file), outgoing)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * No process listens, or the path is too long, where no descriptor shortens it:
 * https://man7.org/linux/man-pages/man2/connect.2.html
 */
const NO_LISTENER = ['ENOENT', 'ECONNREFUSED', 'EINVAL']
const brokenOff = (what: string, cause: unknown) =>
  new StartError(`The server broke the ${what} off. Its log says why.`, { cause })

/** A server that runs accepts a request within this time, however long its answer takes. */
const ACCEPTED_WITHIN_MS = 15_000

/**
 * The response of the server that runs on the folder; undefined when none is running. Throws StartError, also when that
 * server is suspended: Node answers 100 before the request is dealt with (RFC 9110, section 10.1.1).
 */
async function requestFrom(
  dataDir: string,
  path: string,
  body?: AdminRequest,
): Promise<IncomingMessage | undefined> {
  let folder: ReturnType<typeof openSocketFolder> | undefined
  let silence: NodeJS.Timeout | undefined
  try {
    folder = openSocketFolder(dataDir)
    const socketPath = join(folder.path, SOCKET)
    const headers = { Expect: '100-continue' }
    const outgoing = request({ socketPath, path, method: 'POST', headers })
    const silent = new StartError(
      `The server that runs on ${dataDir} does not answer. Continue or stop its process.`,
    )
    silence = setTimeout(() => outgoing.destroy(silent), ACCEPTED_WITHIN_MS)
    outgoing.once('continue', () => clearTimeout(silence))
    outgoing.end(body && JSON.stringify(body))
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    return incoming
  } catch (error) {
    if (error instanceof StartError) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    if (NO_LISTENER.includes(code)) return undefined
    if (code === 'EACCES')
      throw new StartError(
        `The data folder ${dataDir} belongs to another user. Run the command as that user.`,
        { cause: error },
      )
    if (code === 'ENOTDIR') throw new StartError(`${dataDir} is a file. Set DATA_DIR to a folder.`)
    throw brokenOff(body?.action ?? 'backup', error)
  } finally {
    clearTimeout(silence)
    folder?.close()
  }
}

/** Writes all of a response. Throws StartError when the server breaks it off. */
async function writeAll(incoming: IncomingMessage, what: string, write: Write): Promise<void> {
  incoming.setEncoding('utf8')
  let isBroken = false
  incoming.once('error', () => (isBroken = true))
  try {
    for await (const part of incoming) await write(String(part))
  } catch (error) {
    if (!isBroken) throw error
    throw brokenOff(what, error)
  }
}

/**
 * Writes the backup of the server that runs on the folder; false when no server is running. Throws StartError
 * when that server refuses it or breaks it off.
 */
export async function dumpFromRunningServer(dataDir: string, write: Write): Promise<boolean> {
  const incoming = await requestFrom(dataDir, BACKUP_PATH)
  if (!incoming) return false
  const reason = incoming.headers[REASON]
  if (typeof reason === 'string') {
    incoming.destroy()
    throw new StartError(decodeURIComponent(reason))
  }
  await writeAll(incoming, 'backup', write)
  return true
}

/** Admin requests to the server that runs on a folder. */
export interface RunningServerAdmin {
  /** Throws AdminError, and StartError when the server fails. */
  perform(request: AdminRequest): Promise<AdminAnswer>
  /** Writes an export. Throws the same. */
  exportOrganisation(organisation: string, write: Write): Promise<void>
}

/** The server that runs on the folder. Each call rejects with `NoServerError` when there is none. */
export function adminOfRunningServer(dataDir: string): RunningServerAdmin {
  async function answerTo(request: AdminRequest, write: Write): Promise<void> {
    const incoming = await requestFrom(dataDir, ADMIN_PATH, request)
    if (!incoming) throw new NoServerError()
    if (incoming.headers['content-type'] !== ADMIN_TYPE) {
      incoming.destroy()
      throw new StartError('The running server does not know this command. Restart it first.')
    }
    if (incoming.statusCode !== 422) return writeAll(incoming, request.action, write)
    const { message } = (await json(incoming)) as { message: string }
    throw new AdminError(message)
  }
  return {
    async perform(request) {
      let text = ''
      await answerTo(request, async (part) => void (text += part))
      return JSON.parse(text) as AdminAnswer
    },
    exportOrganisation: (organisation, write) =>
      answerTo({ action: 'organisation export', organisation }, write),
  }
}

/** No server is running on the folder. */
export class NoServerError extends Error {
  override name = 'NoServerError'
}
