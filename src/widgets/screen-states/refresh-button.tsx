import { useState } from 'react'
import { screenStateMessages as messages } from './messages.ts'
import type { ShownData } from './not-read.ts'

interface RefreshButtonProps {
  shows?: ShownData | undefined
  /** Reads what is shown and not pulled; resolves to whether it was answered. */
  read?: (() => Promise<boolean>) | undefined
}

/** Sends and pulls now, and says what became of it. */
export function RefreshButton({ shows, read }: RefreshButtonProps) {
  const [busy, setBusy] = useState(false)

  async function refresh() {
    setBusy(true)
    const part = await import('./refresh.ts')
    await part.refresh(shows, read)
    setBusy(false)
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
