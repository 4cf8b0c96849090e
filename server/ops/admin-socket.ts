// The way of an operator's command to the running server: the embedded database has one process, so a
// backup must be asked of it. A socket in the data folder, for the owner of the process alone.
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { dump } from './backup.ts'
import { openDatabase, type Database } from '../database/database.ts'
import { errorFields, log } from '../log.ts'

const socketPathIn = (dataDir: string) => join(dataDir, 'operator')

/** Opens the embedded database and answers commands about it for as long as it is open. */
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
    // Left by a process that was killed: the lock of the folder is ours.
    rmSync(path, { force: true })
    server.listen(path)
    await once(server, 'listening')
    chmodSync(path, 0o600)
  } catch (error) {
    // The name of a socket may not be long. Everything else works without it.
    log('error', 'no backup while running', errorFields(error))
  }
  return {
    ...database,
    async close() {
      await new Promise((resolve) => server.close(resolve))
      await database.close()
    },
  }
}

/** Hands out the backup of the server that runs on the folder; false when none does. */
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
