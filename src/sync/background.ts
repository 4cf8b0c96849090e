// Replay without a page: what the service worker does when the browser says that the network is back
// and no tab may be open. The same session, outbox, locks and replay as in a tab; no screens, no reads.
import { Http } from './http.ts'
import { heads } from './operation.ts'
import { Outbox } from './outbox.ts'
import type { Ports } from './ports.ts'
import { Replay } from './replay.ts'
import { SessionKeeper } from './session.ts'
import { askForTokens, type TokenCalls } from './tokens.ts'

/** What the browser calls the worker with, once there is a network. */
export const REPLAY_TAG = 'cairn-replay'

/** How long a tab that replays itself is waited for, in milliseconds. */
const PATIENCE = 60_000
/** How long an operation that must wait is waited for, in milliseconds; the browser allows three minutes. */
const WAIT = { at_most: 30_000, last: 90_000 }

/**
 * Sends what waits for whoever is signed in on this device. Resolves to how many operations could
 * still be sent by trying again; those that need somebody, or another build, do not count. A tab that
 * is at it is left in peace, unless this is the last chance that the browser gives.
 */
export async function replayInBackground(
  ports: Ports,
  token: TokenCalls,
  { last, sleep }: { last: boolean; sleep: (wait: number) => Promise<void> },
): Promise<number> {
  const { channel, clock } = ports
  const outbox = new Outbox(ports)
  const session = new SessionKeeper(ports, (spent) => askForTokens(ports, token, spent))
  const http = new Http(ports, session, () => undefined)
  const replay = new Replay(ports, outbox, session, http, (ids) =>
    channel.post({ type: 'sending', ids: [...ids] }),
  )
  const deaf = channel.listen(({ type }) => {
    if (type === 'session') void session.reload().catch(() => undefined)
    if (type === 'operations') replay.changed()
  })
  try {
    await session.start({ seq: 0, session: null })
    const end = clock.now() + (last ? WAIT.last : WAIT.at_most)
    for (;;) {
      const result = await replay.run(PATIENCE, last)
      if (result && result.acknowledged > 0) channel.post({ type: 'sent' })
      const { again, unreachable } = result ?? { unreachable: true }
      if (unreachable || again === undefined || clock.now() + again > end) break
      await sleep(again)
    }
    const user_id = session.current().session?.user.id
    const mine = (await outbox.all()).filter((one) => one.user_id === user_id)
    return heads(mine, Infinity).filter((one) => ports.calls[one.endpoint]?.queueing).length
  } finally {
    deaf()
  }
}
