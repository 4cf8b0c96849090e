import { useState } from 'react'
import { sync } from '../../sync/client.ts'
import { toast } from '../../ui/overlay/toast.tsx'
import { screenStateMessages as messages } from './messages.ts'

/** Sends and pulls now; says so where the server cannot be reached. */
export function RefreshButton() {
  const [busy, setBusy] = useState(false)

  async function refresh() {
    setBusy(true)
    await sync()
      .syncNow()
      .catch(() => undefined)
    setBusy(false)
    if (sync().connection.get() === 'offline') toast(messages.stillOffline)
  }

  return (
    <button
      type="button"
      aria-busy={busy}
      onClick={() => !busy && void refresh()}
      className="ms-2 min-h-6 min-w-11 rounded-sm underline underline-offset-4 hover:text-ink coarse:-my-2.5 coarse:min-h-11 print:hidden"
    >
      {messages.refresh}
    </button>
  )
}
