import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { appMessages as messages } from './messages.ts'

/**
 * Says that a new build is ready. Nothing changes until the user accepts; drafts and the queue are
 * unaffected.
 */
export function UpdatePrompt({ onAccept }: { onAccept: () => void }) {
  const [isPostponed, setPostponed] = useState(false)
  if (isPostponed) return null
  return (
    <div className="fixed inset-x-3 bottom-[calc(4.75rem+var(--safe-bottom))] z-40 mx-auto flex max-w-md animate-rise flex-wrap items-center gap-x-2 gap-y-1 rounded-lg bg-raised py-2 ps-4 pe-2 shadow-float md:bottom-6">
      <output className="grow text-sm font-semibold">{messages.newVersion}</output>
      <Button variant="quiet" onClick={() => setPostponed(true)}>
        {messages.later}
      </Button>
      <Button variant="primary" onClick={onAccept}>
        {messages.update}
      </Button>
    </div>
  )
}
