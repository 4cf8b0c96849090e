// A Unix socket in the data folder through which the backup command reads from the running server: the embedded
// database can be open in one process only. Only the owner of the process can connect.
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { dump } from './backup.ts'
import { openDatabase, type Database } from '../database/database.ts'
import { errorFields, log } from '../log.ts'

/** The name is shared by running builds: do not change it. */
const socketPathIn = (dataDir: string) => join(dataDir, 'operator')

/** Opens the embedded database and serves backups on the socket until it is closed. Throws StartError. */
export async function openWithAdminSocket(dataDir: string): Promise<Database> {
  const database = await openDatabase(dataDir)
  const path = socketPathIn(dataDir)
  const server = createServer((_incoming, outgoing) => {
    dump(database, async (line) => {
      if (!outgoing.write(line)) await once(outgoing, 'drain')
    }).then(
      () => outgoing.end(),
      (error: unknown) => {
        log('error', 'backup failed', errorFields(error))
        outgoing.destroy()
      },
    )
  })
  try {
    // A killed process left its socket behind; the lock of the data folder is ours.
    rmSync(path, { force: true })
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
      await new Promise((resolve) => server.close(resolve))
      await database.close()
    },
  }
}

/** Writes the backup of the server that runs on the folder; false when no server is running. */
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
  for await (const part of incoming) await write(String(part))
  return true
}
