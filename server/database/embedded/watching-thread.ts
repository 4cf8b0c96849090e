// The thread of thread-watchdog.ts.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { MISSED_INTERVALS } from '../watchdog.ts'
import type { Watched } from './thread-watchdog.ts'

const { answers, jobs, intervalMs } = workerData as Watched
const STANDARD_ERROR = 2
let seen = 0
let missed = 0
// Counted instead of measured, so that a suspended machine is no hang.
setInterval(() => {
  const count = Atomics.load(answers, 0)
  const isAlive = count !== seen || Atomics.load(jobs, 0) > 0
  seen = count
  missed = isAlive ? 0 : missed + 1
  if (missed <= MISSED_INTERVALS) return
  // The console of a thread writes through the thread that hangs, and only that one can exit.
  writeSync(STANDARD_ERROR, 'The database has not answered for a minute. Giving up.\n')
  process.kill(process.pid, 'SIGKILL')
}, intervalMs)
