// The processes of PostgreSQL that run on a folder, whoever started them.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** How long a fast shutdown may take before the processes are killed. */
const SHUTDOWN_MS = 20_000
const POLL_MS = 20

/** Sends a signal; a process that has ended is ignored. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The lines of `postmaster.pid`; empty when there is none. */
export function readPidFile(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return []
  }
}

/**
 * Removes the lock files of a PostgreSQL that was killed. PostgreSQL refuses to start while any process has the id in
 * them, also an unrelated one or a zombie. To be called only when no PostgreSQL runs on the folder.
 */
function removeStaleLocks(folder: string): void {
  if (process.platform !== 'linux') return
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock'])
    rmSync(join(folder, name), { force: true })
}

/** Kills all that run on the folder, suspended ones too, and waits until they have ended. */
export async function killProcesses(folder: string): Promise<void> {
  for (;;) {
    const found = processesIn(folder)
    if (found.length === 0) return removeStaleLocks(folder)
    for (const pid of found) signal(pid, 'SIGKILL')
    await pause(POLL_MS)
  }
}

/**
 * Ends a PostgreSQL that a killed server left on the folder: with a fast shutdown, and by force when that takes
 * too long. The caller holds the lock of the data folder, so that no server uses it.
 */
export async function endOrphans(folder: string): Promise<void> {
  const orphans = processesIn(folder)
  if (orphans.length === 0) return removeStaleLocks(folder)
  const postmaster = Number(readPidFile(folder)[0])
  if (orphans.includes(postmaster)) signal(postmaster, 'SIGINT')
  for (const deadline = Date.now() + SHUTDOWN_MS; Date.now() < deadline; await pause(POLL_MS))
    if (processesIn(folder).length === 0) return
  await killProcesses(folder)
}

/**
 * Ids of the PostgreSQL processes whose working directory is the folder, with those that create it. Without /proc: the
 * one that `postmaster.pid` names, if it still is one.
 */
export function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') {
    const pid = Number(readPidFile(folder)[0])
    return pid > 0 && commandOf(pid).includes(folder) ? [pid] : []
  }
  const path = realpathSync(folder)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isOfPostgres(pid) && workingDirectoryOf(pid) === path)
}

/** Whether a process runs a program of PostgreSQL. Anyone may read its name, unlike the path of its program. */
function isOfPostgres(pid: number): boolean {
  try {
    return /^(?:postgres|initdb)$/m.test(readFileSync(`/proc/${pid}/comm`, 'utf8'))
  } catch {
    // It has ended.
    return false
  }
}

/**
 * The working directory of a process; undefined when it has ended, waited for or not, or must not be looked into. Root
 * in a container must not look into those of others either (CAP_SYS_PTRACE, ptrace(2)), but may ask as their user.
 */
export function workingDirectoryOf(pid: number): string | undefined {
  const link = `/proc/${pid}/cwd`
  try {
    return readlinkSync(link)
  } catch (error) {
    const isHidden = (error as NodeJS.ErrnoException).code === 'EACCES'
    if (!isHidden || process.getuid?.() !== 0) return undefined
  }
  const owner = statSync(`/proc/${pid}`, { throwIfNoEntry: false })
  if (!owner) return undefined
  const as = { uid: owner.uid, gid: owner.gid, encoding: 'utf8' } as const
  const { error, status, stdout } = spawnSync('readlink', ['-n', link], as)
  if (error) throw error
  return status === 0 ? stdout : undefined
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}
