// Locks where the browser has no Web Locks, as on a page without HTTPS: leases in IndexedDB. Loaded only
// there.
import type { Locks, Store } from '../core/ports.ts'
import { newId } from './new-id.ts'

/** First part of a lease's key in the store `session`. */
const PREFIX = '!lease'
/** A context that does not renew its lease for this long has ended. */
const LEASE_MS = 20_000
const RENEWAL_MS = 5_000
/** Between two attempts to get a lease. */
const POLL_MS = 500

interface Lease {
  holder: string
  /** Epoch milliseconds. */
  until: number
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Locks among all contexts that share `store`. A lease ends with its work, with its page, or `LEASE_MS`
 * after its last renewal. A hidden tab whose timers the browser delays for longer can lose its lease while
 * its work continues, as if it were stolen.
 */
export function createLeaseLocks(store: Store): Locks {
  const held = new Map<string, string>()
  addEventListener('pagehide', () => {
    for (const [holder, name] of held) void release(name, holder).catch(() => undefined)
  })

  /** Takes or renews the lease; resolves to whether `holder` has it now. */
  const take = (name: string, holder: string, mode: 'free' | 'own' | 'steal'): Promise<boolean> =>
    store.transact(['session'], 'readwrite', async (tx) => {
      const lease = (await tx.get('session', [PREFIX, name])) as Lease | undefined
      const now = Date.now()
      // A lease of more than its full time was taken before the clock was set back.
      const isFree = lease === undefined || lease.until <= now || lease.until > now + LEASE_MS
      const mayTake = mode === 'own' ? lease?.holder === holder : mode === 'steal' || isFree
      if (mayTake) tx.put('session', [PREFIX, name], { holder, until: now + LEASE_MS })
      return mayTake
    })

  const release = (name: string, holder: string): Promise<void> =>
    store.transact(['session'], 'readwrite', async (tx) => {
      const lease = (await tx.get('session', [PREFIX, name])) as Lease | undefined
      if (lease?.holder === holder) tx.delete('session', [PREFIX, name])
    })

  return {
    async withLock(name, { timeoutMs, steal = false }, work) {
      const holder = newId()
      const deadline = Date.now() + timeoutMs
      while (!(await take(name, holder, 'free'))) {
        const leftMs = deadline - Date.now()
        if (leftMs > 0) await pause(Math.min(POLL_MS, leftMs))
        else if (!steal) return undefined
        else if (await take(name, holder, 'steal')) break
      }
      held.set(holder, name)
      const timer = setInterval(
        () => void take(name, holder, 'own').catch(() => undefined),
        RENEWAL_MS,
      )
      try {
        return { value: await work() }
      } finally {
        clearInterval(timer)
        held.delete(holder)
        // A lease that cannot be deleted expires.
        await release(name, holder).catch(() => undefined)
      }
    },
  }
}
