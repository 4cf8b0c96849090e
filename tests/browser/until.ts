/** The first and the longest wait between two questions, in milliseconds. */
const POLL_INTERVAL_MS = { first: 40, last: 640 }

/**
 * Asks again and again, and ever more rarely, until the answer is something; fails with `what` after
 * `patience` ms.
 */
export async function waitUntil<T>(
  what: string,
  ask: () => T | Promise<T>,
  patience = 60_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = Date.now() + patience
  for (let pace = POLL_INTERVAL_MS.first; ; pace = Math.min(pace * 1.1, POLL_INTERVAL_MS.last)) {
    const answer = await ask()
    if (answer !== undefined && answer !== null && answer !== false)
      return answer as NonNullable<Exclude<T, false>>
    if (Date.now() > end) throw new Error(`Waited ${patience} ms in vain: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, pace))
  }
}
