// Notices a database that no longer answers.

/** How often to ask. */
export const INTERVAL_MS = 10_000
/** One minute without an answer. */
export const MISSED_INTERVALS = 6

/**
 * Asks with `ping` at each interval, unless the answer to the last question is still missing. Returns the function that
 * stops it.
 */
export function askRegularly(
  ping: () => Promise<unknown>,
  { onAsk, onAnswer }: { onAsk?: () => void; onAnswer: () => unknown },
  intervalMs: number,
): () => void {
  let isWaiting = false
  const timer = setInterval(() => {
    onAsk?.()
    if (isWaiting) return
    isWaiting = true
    ping()
      .then(onAnswer, () => undefined)
      .finally(() => (isWaiting = false))
  }, intervalMs).unref()
  return () => clearInterval(timer)
}

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
  const onAsk = () => {
    missed += 1
    if (missed <= MISSED_INTERVALS) return
    missed = 0
    onHang()
  }
  return askRegularly(ping, { onAsk, onAnswer: () => (missed = 0) }, intervalMs)
}

/** Ends the process with one line: whatever supervises it starts it again. */
export function endProcess(line: string): never {
  console.error(line)
  process.exit(1)
}
