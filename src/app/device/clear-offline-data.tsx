import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { deviceMessages as messages } from './messages.ts'
import { clearOfflineData } from './offline-data.ts'

interface ClearOfflineDataProps {
  offline: boolean
  /** Bytes used now; undefined if the browser does not report it. */
  usage: number | undefined
  /** Number of other organisations stored on this device. */
  others: number
  onCleared: () => void
}

/** Deletes the replicas after explaining what that costs. */
export function ClearOfflineData({ offline, usage, others, onCleared }: ClearOfflineDataProps) {
  const [confirming, setAsking] = useState(false)

  async function clear() {
    try {
      await clearOfflineData()
      toast(messages.cleared)
      onCleared()
    } catch {
      toast(messages.clearFailed)
    }
    setAsking(false)
  }

  return (
    <article tabIndex={-1} aria-label={messages.clear} className="outline-none">
      <p className="text-pretty text-ink-muted">{messages.clearLead}</p>
      {confirming ? (
        <>
          <p className="mt-2 text-pretty">{messages.clearCosts(usage, others)}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button onClick={() => setAsking(false)}>{messages.clearCancel}</Button>
            <Button variant="danger" onClick={() => void clear()}>
              {messages.clearConfirm}
            </Button>
          </div>
        </>
      ) : (
        <Button
          className="mt-3"
          unavailable={offline ? messages.clearOffline : undefined}
          onClick={() => setAsking(true)}
        >
          {messages.clear}
        </Button>
      )}
    </article>
  )
}
