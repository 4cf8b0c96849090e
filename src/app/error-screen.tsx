import { useEffect } from 'react'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { useConnection } from '../sync/react.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { appWords as words } from './words.ts'

/** A part of the app that could not be fetched; each browser says so in its own words. */
const CHUNK = /dynamically imported module|importing a module script|error loading|preload/i
const MARK = 'reloaded_at'
/** One reload is a cure, a second one at once is a loop. Milliseconds. */
const ONE_CURE = 60_000

/** What stands in place of a screen that failed (specification, section 2, error page). */
export function ErrorScreen() {
  const error = useRouteError()
  const message = error instanceof Error ? error.message : ''
  const missing = CHUNK.test(message)
  const online = useConnection() === 'online'
  const curable = missing && mayReload(online)

  useEffect(() => {
    document.title = `${missing ? words.chunkTitle : words.serverError} · Cairn`
    // A new build took the place of the one that this page came from. Browsers do not ask twice
    // for a module that failed; a fresh page does. Drafts were kept when the screen went away.
    if (curable) reload()
  }, [missing, curable])

  if (curable) return null
  if (missing)
    return (
      <Empty
        level={1}
        scene="fog"
        title={words.chunkTitle}
        action={
          <Button variant="primary" onClick={reload}>
            {words.reload}
          </Button>
        }
      >
        {words.chunkOffline}
      </Empty>
    )
  const status = isRouteErrorResponse(error) ? error.status : 500
  return (
    <Empty
      level={1}
      scene="fog"
      title={status === 404 ? words.notFound : words.serverError}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={reload}>
            {words.reload}
          </Button>
          <Link to="/success-plans" className={buttonClass()}>
            {words.toPlans}
          </Link>
        </div>
      }
    >
      <p className="tabular-nums">{status}</p>
      <p>{words.errorLead}</p>
      {message !== '' && <p className="mt-2 font-mono text-xs break-words">{message}</p>}
    </Empty>
  )
}

/** Only where a page will come back: from the worker, or from a server that is there. */
function mayReload(online: boolean) {
  if (!online && !navigator.serviceWorker?.controller) return false
  try {
    return Date.now() - Number(sessionStorage.getItem(MARK) ?? 0) > ONE_CURE
  } catch {
    return false
  }
}

function reload() {
  try {
    sessionStorage.setItem(MARK, String(Date.now()))
  } catch {
    // Storage is forbidden here; then there is no second automatic reload either.
  }
  location.reload()
}
