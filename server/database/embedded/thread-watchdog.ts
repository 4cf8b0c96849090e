// Ends a process whose embedded database hangs. The database runs on the main thread, and when it does not return no
// timer of that thread runs: a thread of its own looks for answers.
import { Worker } from 'node:worker_threads'
import { errorFields, log } from '../../log.ts'
import { INTERVAL_MS, askRegularly } from '../watchdog.ts'

/** What the thread gets. */
export interface Watched {
  /** How many answers there were. Shared, as `jobs` is. */
  answers: Int32Array
  /** How many jobs are under way that may keep the database busy for long. */
  jobs: Int32Array
  intervalMs: number
}

/**
 * Asks with `ping` every ten seconds and ends the process with one line after a minute without an answer, unless a job
 * is under way: whatever supervises it starts it again. Returns the function that stops it.
 */
export function startThreadWatchdog(
  ping: () => Promise<unknown>,
  jobs: Int32Array,
  intervalMs = INTERVAL_MS,
): () => void {
  const answers = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: Watched = { answers, jobs, intervalMs }
  const worker = new Worker(new URL('./watching-thread.ts', import.meta.url), { workerData })
  worker.unref()
  worker.once('error', (error) => log('error', 'watchdog ended', errorFields(error)))
  const stopAsking = askRegularly(ping, { onAnswer: () => Atomics.add(answers, 0, 1) }, intervalMs)
  return () => {
    stopAsking()
    void worker.terminate()
  }
}
