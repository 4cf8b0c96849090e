import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { appMessages as messages } from './messages.ts'

interface UpdatePromptProps {
  /** The user has accepted it, and the previous service worker has not ended yet. */
  accepted: boolean
  onAccept: () => void
}

/**
 * Says that a new build is ready. Nothing changes until the user accepts; drafts and the queue are
 * unaffected.
 */
export function UpdatePrompt({ accepted, onAccept }: UpdatePromptProps) {
  const [isPostponed, setPostponed] = useState(false)
  if (isPostponed) return null
  return (
    <div className="fixed inset-x-3 bottom-[calc(4.75rem+var(--safe-bottom))] z-40 mx-auto flex max-w-md animate-rise flex-wrap items-center gap-x-2 gap-y-1 rounded-lg bg-raised py-2 ps-4 pe-2 shadow-float md:bottom-6">
      <output className="grow text-sm">
        <span className="block font-semibold">
          {accepted ? messages.updating : messages.newVersion}
        </span>
        {accepted && <span className="block text-ink-muted">{messages.updateWaits}</span>}
      </output>
      {!accepted && (
        <>
          <Button variant="quiet" onClick={() => setPostponed(true)}>
            {messages.later}
          </Button>
          <Button variant="primary" onClick={onAccept}>
            {messages.update}
          </Button>
        </>
      )}
    </div>
  )
}
