// What the button *Send now* does.
import { sync } from '../../sync/client.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { panelMessages as messages } from './panel-messages.ts'

const MINUTE_MS = 60_000

/** Sends now; says why where it cannot: offline, or until when the server asked to wait. */
export async function sendNow(): Promise<void> {
  const until = await sync().syncNow(true)
  if (sync().connection.get() === 'offline') toast(messages.stillOffline)
  // The next full minute, as the time is shown without seconds.
  else if (until !== undefined) toast(messages.serverBusy(Math.ceil(until / MINUTE_MS) * MINUTE_MS))
}
