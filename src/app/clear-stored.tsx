import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { KeepFocus } from '../ui/keep-focus.tsx'
import { toast } from '../ui/toast.tsx'
import { deviceWords as messages } from './device-words.ts'
import { clearStored } from './stored-here.ts'

interface ClearStoredProps {
  offline: boolean
  /** Bytes used now; undefined where the browser does not say. */
  usage: number | undefined
  /** How many organisations beside the open one are stored. */
  others: number
  onCleared: () => void
}

/** Clears the copies of what the server has, after saying what that costs. */
export function ClearStored({ offline, usage, others, onCleared }: ClearStoredProps) {
  const [asking, setAsking] = useState(false)

  async function clear() {
    try {
      await clearStored()
      toast(messages.cleared)
      onCleared()
    } catch {
      toast(messages.clearFailed)
    }
    setAsking(false)
  }

  return (
    <KeepFocus aria-label={messages.clear} className="outline-none">
      <p className="text-pretty text-ink-muted">{messages.clearLead}</p>
      {asking ? (
        <>
          <p className="mt-2 text-pretty">{messages.clearCosts(usage, others)}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button onClick={() => setAsking(false)}>{messages.clearKeep}</Button>
            <Button variant="danger" onClick={() => void clear()}>
              {messages.clearSure}
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
    </KeepFocus>
  )
}
