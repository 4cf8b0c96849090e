import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useRevalidator } from 'react-router'
import { useSession } from '../sync/react.ts'
import { Toaster } from '../ui/toast.tsx'
import { FocusMemory } from './focus-memory.tsx'
import { useNewVersion } from './register-worker.ts'
import { UpdatePrompt } from './update-prompt.tsx'
import { appWords } from './words.ts'

/** What stands round every screen, whatever its layout. */
export function Root() {
  useGuardsOnChange()
  const { ready, accept } = useNewVersion()
  return (
    <>
      <Outlet />
      {ready && <UpdatePrompt onAccept={accept} />}
      <Toaster />
      <FocusMemory />
      <ScrollRestoration />
    </>
  )
}

/** Until the first screen's code is there. */
export function Starting() {
  return <output className="sr-only">{appWords.loading}</output>
}

/** Somebody signed in or out, or the organisation changed, here or in another tab: ask the guards again. */
function useGuardsOnChange() {
  const session = useSession()
  const { revalidate } = useRevalidator()
  const scope = `${session?.user.id} ${session?.active_organisation?.id}`
  const asked = useRef(scope)
  useEffect(() => {
    if (asked.current === scope) return
    asked.current = scope
    void revalidate()
  }, [scope, revalidate])
}
