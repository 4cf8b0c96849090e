import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { appMessages as messages } from './messages.ts'

interface UpdatePromptProps {
  /** The user has accepted it, and the previous service worker has not ended yet. */
  accepted: boolean
  onAccept: () => void
}

/**
 * Says that a new build is ready. Nothing changes until the user accepts; drafts and the queue are
 * unaffected. It has a place of its own above the header: it arrives at any time, and over the screen it
 * would lie on the field that is being filled in.
 */
export function UpdatePrompt({ accepted, onAccept }: UpdatePromptProps) {
  const [isPostponed, setPostponed] = useState(false)
  const [news, setNews] = useState('')
  useEffect(() => void readNews().then(setNews, () => undefined), [])
  if (isPostponed) return null
  return (
    <div className="border-b border-line bg-raised pt-(--safe-top) print:hidden">
      <div className="mx-auto flex max-w-400 flex-wrap items-center justify-end gap-x-2 gap-y-1 py-1.5 ps-4 pe-3 sm:ps-6 sm:pe-5">
        <output className="me-auto text-sm">
          <span className="block font-semibold">
            {accepted ? messages.updating : messages.newVersion}
          </span>
          <span className="line-clamp-2 text-ink-muted">
            {accepted ? messages.updateWaits : news}
          </span>
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
    </div>
  )
}

/** What is new in the build on the server, in one line; nothing if a page is answered in place of the file. */
async function readNews(): Promise<string> {
  const answer = await fetch('/whats-new.txt', { cache: 'no-cache' })
  const isText = answer.ok && answer.headers.get('Content-Type')?.startsWith('text/plain')
  return isText ? await answer.text() : ''
}
