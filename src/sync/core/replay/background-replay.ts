// Replay in the service worker, when the browser reports a network and no tab may be open. The same
// session, outbox, locks and replay as in a tab, without screens and pulls.
import { Http } from '../api/http.ts'
import type { ReadCalls } from '../arrival/lookup.ts'
import { Outbox } from '../outbox.ts'
import type { CancelSignal, MakeRoomFor, Ports, Transaction } from '../ports.ts'
import { Replay } from './replay.ts'
import { sendRevocations } from './revocations.ts'
import { sendableOperations } from './sendable.ts'
import { readSession, SESSION_KEY } from '../session-store.ts'
import { SessionManager } from '../session.ts'
import { withoutReserve } from '../storage/evict.ts'
import { refreshTokens, type TokenCalls } from '../token-client.ts'

/** How long to wait for a tab that is replaying. */
const LOCK_TIMEOUT_MS = 60_000
/**
 * How long to wait for delayed operations. The browser ends the worker's event after three minutes.
 */
const MAX_WAIT_MS = { normal: 30_000, lastChance: 90_000 }

/** Stores the session as it is, to find out whether there is room. */
const rewrite = async (tx: Transaction): Promise<void> =>
  tx.put('session', SESSION_KEY, await readSession(tx))

/**
 * Sends the pending operations of the signed-in user, and the revocations of ended sessions. Resolves to how many of
 * both a later attempt could still send; operations that need attention or belong to a newer build do not count. The
 * lock of a replaying tab is stolen only when `last`: the browser makes no further attempt. `sleep` takes
 * milliseconds. Once `signal` is cancelled it waits neither for the lock nor for a response. Rejects when storage
 * fails. `onSessionEnd` is called when the session has ended, which only this context knows of then.
 */
export async function replayInBackground(
  ports: Ports,
  token: TokenCalls,
  {
    last,
    sleep,
    signal,
    reads,
    onSessionEnd,
  }: {
    last: boolean
    sleep: (delayMs: number) => Promise<void>
    signal: CancelSignal
    reads: ReadCalls
    onSessionEnd?: () => void
  },
): Promise<number> {
  const { channel, clock } = ports
  const makeRoomFor: MakeRoomFor = (write) => withoutReserve(ports.store, write)
  const outbox = new Outbox(ports, makeRoomFor)
  // Without room the next tokens would be lost with this context, and the stored ones be used up. A page keeps them.
  const canStore = () => makeRoomFor(() => ports.store.transact(['session'], 'strict', rewrite))
  const requestTokens = (refreshToken: string) =>
    canStore().then(
      () => refreshTokens(ports, token, refreshToken),
      () => ({ result: 'unreachable' }) as const,
    )
  const session = new SessionManager(ports, requestTokens, makeRoomFor)
  let isSignedIn = false
  session.subscribe(({ session: now }) => {
    if (isSignedIn && !now) onSessionEnd?.()
    isSignedIn = now !== null
  })
  const http = new Http(ports, session, () => undefined)
  const replay = new Replay(ports, outbox, session, http, reads, (ids) =>
    channel.post({ type: 'sending', ids: [...ids] }),
  )
  const unsubscribe = channel.subscribe((message) => {
    if (message.type === 'session') void session.reload(message.tokens).catch(() => undefined)
    if (message.type === 'operations') replay.outboxChanged()
  })
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>()
  signal.onCancel(() => {
    replay.stop()
    cancel()
  })
  const send = async () => {
    const deadline = clock.now() + (last ? MAX_WAIT_MS.lastChance : MAX_WAIT_MS.normal)
    while (!signal.cancelled) {
      const result = await replay.run(LOCK_TIMEOUT_MS, last)
      if (result && result.acknowledged > 0) channel.post({ type: 'sent' })
      const { retryInMs, unreachable } = result ?? { unreachable: true }
      if (unreachable || retryInMs === undefined || clock.now() + retryInMs > deadline) break
      await sleep(retryInMs)
    }
  }
  try {
    await session.start({ seq: 0, session: null })
    await http.capabilities.load()
    await Promise.race([send(), cancelled])
    const revocations = signal.cancelled ? 0 : await sendRevocations(ports, http, token)
    const user_id = session.current().session?.user.id
    const own = (await outbox.all()).filter((one) => one.user_id === user_id)
    const operations = sendableOperations(own, Infinity, ports.calls).filter(
      (one) => ports.calls[one.endpoint]?.offlinePolicy,
    )
    return operations.length + revocations
  } finally {
    unsubscribe()
  }
}
