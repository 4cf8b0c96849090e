import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { KeepFocus } from '../ui/keep-focus.tsx'
import { toast } from '../ui/toast.tsx'
import { deviceWords as words } from './device-words.ts'
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
      toast(words.cleared)
      onCleared()
    } catch {
      toast(words.clearFailed)
    }
    setAsking(false)
  }

  return (
    <KeepFocus aria-label={words.clear} className="outline-none">
      <p className="text-pretty text-ink-muted">{words.clearLead}</p>
      {asking ? (
        <>
          <p className="mt-2 text-pretty">{words.clearCosts(usage, others)}</p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button onClick={() => setAsking(false)}>{words.clearKeep}</Button>
            <Button variant="danger" onClick={() => void clear()}>
              {words.clearSure}
            </Button>
          </div>
        </>
      ) : (
        <Button
          className="mt-3"
          unavailable={offline ? words.clearOffline : undefined}
          onClick={() => setAsking(true)}
        >
          {words.clear}
        </Button>
      )}
    </KeepFocus>
  )
}
