// `npm run admin -- <command>`, on the database that the environment names: through the running server where there
// is one, since the embedded database is open in one process only.
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { readConfiguration, type Configuration } from '../configuration/configuration.ts'
import { requireDatabase } from '../database/data-dir-lock.ts'
import { OTHERS } from '../database/data-dir-permissions.ts'
import { openDatabase, openPostgresDatabase, type Database } from '../database/database.ts'
import { leaveSchemas } from '../database/migrate.ts'
import { StartError } from '../errors/start-error.ts'
import { UsageError, parseArguments, type CommandName, type Parsed } from './admin/arguments.ts'
import { examine } from './admin/doctor.ts'
import { exportOrganisation } from './admin/organisations.ts'
import { asText } from './admin/output.ts'
import { perform } from './admin/perform.ts'
import { AdminError, type AdminAnswer } from './admin/request.ts'
import { NoServerError, adminOfRunningServer, type RunningServerAdmin } from './admin-socket.ts'
import { backUpBeforeMigrating } from './backup-before-migrating.ts'
import { writeBackup } from './backup.ts'
import { leavingRoom } from './backups/room.ts'

type Command = Exclude<Parsed, { help: string }>
type OtherCommand = Exclude<CommandName, 'doctor'>

/** They only read, and the previous version may be serving the database. */
const READING: readonly OtherCommand[] = ['user list', 'organisation list', 'organisation export']

const FAILED = 1
const WRONG_ARGUMENTS = 2

/** Carries requests out, through the running server or on the database itself. Throws StartError. */
async function withAdmin<T>(
  configuration: Configuration,
  work: (admin: RunningServerAdmin) => Promise<T>,
): Promise<T> {
  const { postgres, dataDir, api } = configuration
  if (api) throw new StartError('With API_URL there is no database here. Use the API’s own tools.')
  if (!postgres) {
    try {
      return await work(adminOfRunningServer(dataDir))
    } catch (error) {
      if (!(error instanceof NoServerError)) throw error
    }
    requireDatabase(dataDir)
  }
  backUpBeforeMigrating(dataDir, !postgres)
  const database = postgres ? await openPostgresDatabase(postgres) : await openDatabase(dataDir)
  try {
    return await work(adminOf(database, configuration))
  } finally {
    await database.close()
  }
}

function adminOf(database: Database, configuration: Configuration): RunningServerAdmin {
  const { publicUrl, port } = configuration
  const context = {
    database,
    now: () => new Date(),
    publicUrl: () => publicUrl ?? `http://localhost:${port}`,
  }
  return {
    async perform(request) {
      if (request.action === 'organisation export') throw new Error('An export is written.')
      return perform(context, request)
    },
    exportOrganisation: (organisation, write) => exportOrganisation(database, organisation, write),
  }
}

/** A password from standard input, else a new one of 96 random bits. */
async function readPassword(fromStdin: boolean): Promise<{ password: string; isNew: boolean }> {
  if (!fromStdin) return { password: randomBytes(12).toString('base64url'), isNew: true }
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (password === '') throw new UsageError('Standard input holds no password.')
  return { password, isNew: false }
}

/** The answer with a generated password, which is shown this once. */
const withPassword = (answer: AdminAnswer, password: string): AdminAnswer =>
  'rows' in answer
    ? answer
    : {
        message: `${answer.message} Password: ${password}`,
        details: { ...answer.details, password },
      }

async function answerTo(
  command: OtherCommand,
  { values, options }: Command,
  admin: RunningServerAdmin,
  { postgres, dataDir }: Configuration,
): Promise<AdminAnswer> {
  const [first = '', second = ''] = values
  const { confirmed, superadmin, fromStdin } = options
  switch (command) {
    case 'user create':
    case 'user reset-password': {
      const { password, isNew } = await readPassword(fromStdin)
      const name = options.name ?? first.replace(/@.*/, '')
      const answer = await admin.perform(
        command === 'user create'
          ? { action: command, email: first, name, password, superadmin }
          : { action: command, email: first, password },
      )
      return isNew ? withPassword(answer, password) : answer
    }
    case 'user delete':
      return admin.perform({ action: command, email: first, confirmed })
    case 'user end-sign-ins':
    case 'superadmin grant':
    case 'superadmin revoke':
      return admin.perform({ action: command, email: first })
    case 'organisation delete':
      return admin.perform({ action: command, organisation: first, confirmed })
    case 'organisation export': {
      const file = resolve(second)
      await writeBackup(file, (write) =>
        admin.exportOrganisation(first, postgres ? write : leavingRoom(dataDir, file, write)),
      )
      return { message: `“${first}” was written to ${file}.`, details: { file } }
    }
    case 'user list':
    case 'organisation list':
    case 'versions raise':
    case 'setup-link':
  }
  return admin.perform({ action: command })
}

async function run(): Promise<void> {
  const parsed = parseArguments(process.argv.slice(2))
  if ('help' in parsed) {
    console.log(parsed.help)
    return
  }
  const { command } = parsed
  if (command === 'doctor') {
    leaveSchemas()
    const status = (configuration: Configuration) =>
      withAdmin(configuration, (admin) => admin.perform({ action: 'status' }))
    const { rows, hasFailed } = await examine(process.env, status)
    console.log(asText({ rows }, parsed.isJson))
    process.exitCode = hasFailed ? FAILED : 0
    return
  }
  if (READING.includes(command)) leaveSchemas()
  const configuration = readConfiguration(process.env)
  const answer = await withAdmin(configuration, (admin) =>
    answerTo(command, parsed, admin, configuration),
  )
  console.log(asText(answer, parsed.isJson))
}

process.umask(OTHERS)
try {
  await run()
} catch (error) {
  const isExpected = [StartError, AdminError, UsageError].some((kind) => error instanceof kind)
  console.error(isExpected && error instanceof Error ? error.message : error)
  process.exitCode = error instanceof UsageError ? WRONG_ARGUMENTS : FAILED
}
