// Keeps PostgreSQL running: starts it again when it ends or hangs, and gives up when that happens too often.
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { log } from '../../log.ts'
import { isDiskFull } from '../disk.ts'
import { endProcess } from '../watchdog.ts'
import { startPostmaster, type Postmaster } from './postmaster.ts'
import { endOrphans, killProcesses } from './processes.ts'
import type { Programs } from './programs.ts'

/** A PostgreSQL that is restarted until it is stopped. */
export interface SupervisedCluster {
  /** Kills it when it runs, to be started again. */
  restart(): void
  stop(): Promise<void>
}

const MAX_RESTARTS = 5
const WITHIN_MS = 600_000
const FIRST_DELAY_MS = 500
const DISK_POLL_MS = 1_000

/**
 * Starts PostgreSQL on the folder, after ending the one that a killed server left there. Rejects when it does
 * not start. When it ends later it is started again, at most five times in ten minutes, each time after twice
 * the delay; then the process ends. With no room on the disk it waits for room first.
 */
export async function superviseCluster(
  folder: string,
  programs: Programs,
): Promise<SupervisedCluster> {
  await endOrphans(folder)
  const stopping = new AbortController()
  const { signal } = stopping
  let restarts: number[] = []
  let killed: Promise<void> | undefined
  /** Undefined while it does not run. */
  let current: Postmaster | undefined

  async function start(): Promise<Postmaster> {
    const started = await startPostmaster(folder, programs)
    current = started
    return started
  }

  /** Waits until it may be started again. Ends this process when that has happened too often. */
  async function backOff(reason: string): Promise<void> {
    const now = Date.now()
    restarts = restarts.filter((at) => now - at < WITHIN_MS)
    if (restarts.length === MAX_RESTARTS)
      endProcess(
        `The database ended ${MAX_RESTARTS + 1} times in ten minutes, the last time with: ${reason}. Giving up.`,
      )
    const delay_ms = FIRST_DELAY_MS * 2 ** restarts.length
    restarts.push(now)
    log('error', 'database ended', { reason, delay_ms })
    await pause(delay_ms, undefined, { signal })
    while (isDiskFull(dirname(folder))) await pause(DISK_POLL_MS, undefined, { signal })
    await killed
    // Its other processes end a little later than the first one, and block the next start until then.
    await killProcesses(folder)
  }

  async function supervise(started: Postmaster): Promise<void> {
    let reason = await started.ended
    current = undefined
    while (!signal.aborted) {
      try {
        await backOff(reason)
        const next = await start()
        if (signal.aborted) return await next.stop()
        log('info', 'database restarted')
        reason = await next.ended
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
      }
      current = undefined
    }
  }
  const supervised = supervise(await start())

  return {
    restart() {
      if (current) killed = killProcesses(folder)
    },
    async stop() {
      stopping.abort()
      await current?.stop()
      await supervised
    },
  }
}
