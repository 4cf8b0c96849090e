// Two processes on one data folder silently lose rows: whoever comes second is refused.
import { closeSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './start-error.ts'

/** When a process started, in the kernel's ticks: tells a reused pid from the process that locked. */
function startTimeOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name may hold spaces and brackets; fields are counted after its last one.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isHeld(lock: string): { pid: number } | undefined {
  const [pidText = '', started = ''] = readFileSync(lock, 'utf8').trim().split(' ')
  const pid = Number(pidText)
  if (!Number.isSafeInteger(pid) || pid <= 0 || !isAlive(pid)) return undefined
  const now = startTimeOf(pid)
  return now !== undefined && started !== '' && now !== started ? undefined : { pid }
}

/**
 * Takes the folder for this process and returns how to give it back. Takes over only from a process
 * that is dead. Throws StartError when another one holds the folder.
 */
export function lockFolder(folder: string): () => void {
  const lock = join(folder, 'lock')
  const mine = `${lock}.${process.pid}`
  const content = `${process.pid} ${startTimeOf(process.pid) ?? ''}\n`
  const descriptor = openSync(mine, 'w', 0o600)
  writeSync(descriptor, content)
  closeSync(descriptor)
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        // A link appears with its content or not at all, and never over another one.
        linkSync(mine, lock)
        return () => rmSync(lock, { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === 2) throw error
      }
      const holder = isHeld(lock)
      if (holder)
        throw new StartError(`The data folder ${folder} is in use by process ${holder.pid}.`)
      rmSync(lock, { force: true })
    }
  } finally {
    rmSync(mine, { force: true })
  }
}
