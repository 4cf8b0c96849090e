// `npm run backup -- file` and `npm run restore -- file`, on the database that the environment names.
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { backUpBeforeMigrating } from './backup-before-migrating.ts'
import { writeBackup, dump, restore } from './backup.ts'
import { requireBackup } from './backups/read-backup.ts'
import { leavingRoom } from './backups/room.ts'
import { readConfiguration, type Configuration } from '../configuration/configuration.ts'
import { withSecretFiles } from '../configuration/secret-files.ts'
import { requireDatabase } from '../database/data-dir-lock.ts'
import { OTHERS } from '../database/data-dir-permissions.ts'
import { openDatabase, openPostgresDatabase, type Database } from '../database/database.ts'
import { leaveSchemas } from '../database/migrate.ts'
import { dumpFromRunningServer } from './admin-socket.ts'
import { recordBackup } from './last-backup.ts'
import { typedCommand } from './typed-command.ts'
import { StartError } from '../errors/start-error.ts'

type Place = Pick<Configuration, 'postgres' | 'dataDir'>

/** The configured passphrase, else one typed on a terminal, which does not show it. */
async function readPassphrase(configured: string | undefined): Promise<string | undefined> {
  if (configured !== undefined || !process.stdin.isTTY) return configured
  const output = new Writable({ write: (_part, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  // After the terminal no longer shows what is typed, or ends the process at Ctrl+C.
  process.stdout.write('Passphrase of the backup: ')
  try {
    return await terminal.question('')
  } catch (error) {
    // Ctrl+C.
    if (error instanceof Error && error.name === 'AbortError')
      throw new StartError('Nothing was restored.', { cause: error })
    throw error
  } finally {
    terminal.close()
    process.stdout.write('\n')
  }
}

async function withDatabase<T>(
  { postgres, dataDir }: Place,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  backUpBeforeMigrating(dataDir, !postgres)
  const database = postgres ? await openPostgresDatabase(postgres) : await openDatabase(dataDir)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function run([command, name, ...others]: string[]): Promise<string> {
  const usage = `Usage: ${typedCommand('backup')} <file>, ${typedCommand('restore')} <file>.`
  // `--help` is no name of a file.
  if (name === undefined || name.startsWith('-') || others.length > 0) throw new StartError(usage)
  const file = resolve(name)
  const { postgres, dataDir } = readConfiguration(process.env)
  const place = { postgres, dataDir }
  const configuredPassphrase = withSecretFiles(process.env).BACKUP_PASSPHRASE || undefined
  if (command === 'backup') {
    leaveSchemas()
    const writeLines = async (write: (part: string) => Promise<void>) => {
      if (!postgres) {
        if (await dumpFromRunningServer(dataDir, leavingRoom(dataDir, file, write))) return
        requireDatabase(dataDir)
        write = leavingRoom(dataDir, file, write)
      }
      await withDatabase(place, (database) => dump(database, write))
    }
    await writeBackup(file, writeLines, configuredPassphrase)
    recordBackup(dataDir)
    return `Backup written to ${file}.`
  }
  if (command !== 'restore') throw new StartError(usage)
  let typed: ReturnType<typeof readPassphrase> | undefined
  const passphrase = () => (typed ??= readPassphrase(configuredPassphrase))
  // Before a database is made for it.
  await requireBackup(file, passphrase)
  return `${await withDatabase(place, (database) => restore(database, file, { passphrase }))} rows restored.`
}

process.umask(OTHERS)
try {
  console.log(await run(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
}
