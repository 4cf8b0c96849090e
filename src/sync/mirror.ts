// The session's copy in IndexedDB, as anybody may read it; only `session.ts` writes it.
import type { Transaction } from './ports.ts'
import type { Kept } from './session.ts'

/** Where it stands in the table of sessions. */
export const MIRROR = 'session'

/** The session in that very transaction. */
export async function keptIn(tx: Transaction): Promise<Kept> {
  const kept = await tx.get('session', MIRROR)
  return (kept as Kept | undefined) ?? { seq: 0, session: null }
}

/** Whether the mirror knows better than what the page remembers: after a kill the newer one wins. */
export const mirrorWins = (local: Kept, mirror: Kept): boolean =>
  local.seq < mirror.seq || (local.seq === 0 && !local.session)
