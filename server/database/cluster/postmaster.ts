// Runs one PostgreSQL as a child process.
import { execFile, spawn } from 'node:child_process'
import {
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { killProcesses, readPidFile, signal } from './processes.ts'
import type { Programs } from './programs.ts'
import type { User } from './unprivileged.ts'

/** A PostgreSQL that accepts connections. */
export interface Postmaster {
  /** Resolves when it has ended, with its last error. */
  ended: Promise<string>
  /** Ends it without waiting for open sessions; by force when that takes too long. */
  stop(): Promise<void>
}

/** The role that owns all. It has no password: the system says who connects. */
export const OWNER = 'cairn_owner'

const READY_WITHIN_MS = 300_000
const STOP_WITHIN_MS = 20_000
const POLL_MS = 10
/** `status` in postmaster.pid (miscadmin.h: LOCK_FILE_LINE_PM_STATUS). */
const STATUS_LINE = 7

/** For a machine with 512 MB, which all processes of the server share. */
const SETTINGS = Object.entries({
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  // The server's pool, its listener, its probe, a migration, and three for the superuser.
  max_connections: 20,
  shared_buffers: '32MB',
  work_mem: '4MB',
  maintenance_work_mem: '16MB',
  temp_buffers: '2MB',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  max_parallel_workers: 0,
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  autovacuum_worker_slots: 1,
  autovacuum_max_workers: 1,
  // Without processes of its own for reading.
  io_method: 'sync',
  jit: 'off',
  huge_pages: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // What a statement was about belongs in no log: only why the server does not run.
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
}).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/**
 * The name of the folder for the child. It is its working directory, and this name needs no right to enter the
 * folders above, which the unprivileged user of a server of root lacks (proc(5)).
 */
const nameOf = (folder: string, user: User | undefined) =>
  user && process.platform === 'linux' ? '/proc/self/cwd' : folder

/** Ends PostgreSQL when this process ends in any way: then the pipe that it reads from is closed. */
const GUARD = '(read -r _ <&3; kill -INT $$) 2>/dev/null & exec "$@" 3<&-'

/** Creates an empty cluster in the new folder. It is not flushed to the disk. Rejects with initdb's reason. */
export async function createCluster(folder: string, programs: Programs): Promise<void> {
  const { initdb, env, creator } = programs
  // A killed server may have left one, in use by its child.
  if (existsSync(folder)) await killProcesses(folder)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  keepOwner(folder, creator)
  const settings = [
    `--username=${OWNER}`,
    '--auth=peer',
    '--encoding=UTF8',
    // Text is ordered as PGlite does, by code points. Lists name their own collation.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // Segments of the log take most of a small database's room.
    '--wal-segsize=4',
    '--no-sync',
  ]
  await promisify(execFile)(initdb, ['-D', nameOf(folder, creator), ...settings], {
    cwd: folder,
    env,
    ...creator,
  }).catch((error: Error & { stderr?: string }) => {
    // Its last lines say what it has removed.
    const output = error.stderr?.trim() ?? ''
    const reason = /\b(?:fatal|panic|error): *(.+)/i.exec(output)?.[1] ?? output.split('\n').at(-1)
    throw new Error(reason || error.message, { cause: error })
  })
}

/** Gives a folder that root or another user has created to this one. */
function keepOwner(path: string, user: User | undefined): void {
  const entry = lstatSync(path)
  if (!user || entry.uid === user.uid) return
  if (entry.isDirectory()) for (const name of readdirSync(path)) keepOwner(join(path, name), user)
  lchownSync(path, user.uid, user.gid)
}

/** Lets processes of this user connect, under any role, and no others. */
function restrictConnections(folder: string, { client, user }: Programs): void {
  const rules = {
    'pg_hba.conf': 'local all all peer map=server\n',
    'pg_ident.conf': `server "${client.replaceAll('"', '""')}" all\n`,
  }
  for (const [name, rule] of Object.entries(rules)) {
    const file = join(folder, name)
    // On a full disk what is there stays as it is.
    if (existsSync(file) && readFileSync(file, 'utf8') === rule) continue
    // Another user's folder may hold a link to a file of root.
    rmSync(file, { force: true })
    writeFileSync(file, rule, { mode: 0o600, flag: 'wx' })
    keepOwner(file, user)
  }
}

/** Starts it and waits until it accepts connections. Rejects with its last error when it ends instead. */
export async function startPostmaster(folder: string, programs: Programs): Promise<Postmaster> {
  const { postgres, env, user } = programs
  keepOwner(folder, user)
  restrictConnections(folder, programs)
  const child = spawn(
    '/bin/sh',
    ['-c', GUARD, 'sh', postgres, '-D', nameOf(folder, user), ...SETTINGS],
    // A session of its own: Ctrl+C in the terminal is for the server, which still needs its database.
    { cwd: folder, env, ...user, detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  child.stderr?.on('data', (part: Buffer) => (output = (output + part.toString()).slice(-4_000)))
  let hasEnded = false
  const ended = new Promise<string>((resolve) => {
    const end = (reason: string) => {
      hasEnded = true
      child.stdio[3]?.destroy()
      resolve(lastError(output) ?? reason)
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, name) => end(name ? `ended by ${name}` : `exit code ${code}`))
  })
  const stop = async (name: NodeJS.Signals, milliseconds: number) => {
    if (child.pid !== undefined && !hasEnded) signal(child.pid, name)
    const late = pause(milliseconds, true, { ref: false })
    if (await Promise.race([ended.then(() => false), late])) {
      await killProcesses(folder)
      await ended
    }
  }
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await pause(POLL_MS)) {
    const lines = readPidFile(folder)
    if (Number(lines[0]) === child.pid && lines[STATUS_LINE]?.startsWith('ready')) break
    if (hasEnded) throw new Error(await ended)
    if (Date.now() < deadline) continue
    await stop('SIGQUIT', STOP_WITHIN_MS)
    throw new Error('it was not ready within five minutes')
  }
  return { ended, stop: () => stop('SIGINT', STOP_WITHIN_MS) }
}

/** The last reason in its log, without the time and the process, or its output from before it had a log. */
const lastError = (log: string): string | undefined =>
  [...log.matchAll(/(?:(?:FATAL|PANIC): +|^postgres: )(.+)/gm)].at(-1)?.[1]
