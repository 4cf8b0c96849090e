// Notices a database that no longer answers.

/** How often to ask. */
const INTERVAL_MS = 10_000
/** One minute without an answer. */
const MISSED_INTERVALS = 6

/**
 * Asks with `ping` every ten seconds and calls `onHang` after a minute without an answer, and again after each
 * further one. Intervals are counted instead of measured, so that a suspended machine is no hang. Returns the
 * function that stops it.
 */
export function startWatchdog(
  ping: () => Promise<unknown>,
  onHang: () => void,
  intervalMs = INTERVAL_MS,
): () => void {
  let missed = 0
  let isWaiting = false
  const timer = setInterval(() => {
    missed += 1
    if (missed > MISSED_INTERVALS) {
      missed = 0
      onHang()
    }
    if (isWaiting) return
    isWaiting = true
    ping()
      .then(
        () => (missed = 0),
        () => undefined,
      )
      .finally(() => (isWaiting = false))
  }, intervalMs).unref()
  return () => clearInterval(timer)
}

/** Ends the process with one line: whatever supervises it starts it again. */
export function endProcess(line: string): never {
  console.error(line)
  process.exit(1)
}
