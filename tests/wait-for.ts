import { vi } from 'vitest'

/** Less than the timeout of a test, so that a test fails with what was seen last. Milliseconds. */
const TIMEOUT_MS = 30_000

/**
 * Waits until `look` throws no more, and resolves with what it returned; after half a minute, which a busy
 * machine may need, or after `timeout`, in milliseconds, it fails with what `look` threw last.
 */
export const waitFor = <T>(look: () => T | Promise<T>, timeout = TIMEOUT_MS): Promise<T> =>
  vi.waitFor(look, { timeout, interval: 20 })
