import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { Navigate, Outlet } from 'react-router'
import { sync } from '../../sync/client.ts'
import { loadPage } from '../../ui/platform/load-page.ts'
import { Toaster } from '../../ui/overlay/toast.tsx'
import { PaletteHost } from '../palette/palette-host.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { FocusMemory } from '../navigation/focus-memory.tsx'
import type { RedirectTarget } from '../navigation/guards.ts'
import { useNewVersion } from '../boot/register-worker.ts'
import { ScrollMemory } from '../navigation/scroll-memory.tsx'
import { useGuards } from '../navigation/use-guards.ts'
import { appMessages } from './messages.ts'

const UpdatePrompt = lazy(async () => ({
  default: (await import('./update-prompt.tsx')).UpdatePrompt,
}))

/** Behind the half that works. Where its file cannot be had, blocked say, nobody is told anything. */
const Telemetry = lazy(async () => {
  await sync().ready()
  return await import('../telemetry/telemetry.tsx').then(
    ({ Telemetry }) => ({ default: Telemetry }),
    () => ({ default: () => null }),
  )
})

/** What stands round every screen, whatever its layout. */
export function Root() {
  const { redirect, admitted } = useGuards()
  const { ready, accept } = useNewVersion()
  useThrowEngineFailure()
  return (
    <>
      <Suspense>
        <Telemetry arrived={admitted} />
      </Suspense>
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          {redirect && <Redirect {...redirect} />}
          {admitted ? <Outlet /> : <Loading />}
        </Suspense>
      </ErrorBoundary>
      <Suspense>{ready && <UpdatePrompt onAccept={accept} />}</Suspense>
      <PaletteHost />
      <Toaster />
      <FocusMemory />
      <ScrollMemory />
    </>
  )
}

/** On the way to where the guards send: to another site by a full page load. */
function Redirect({ to, external = false }: RedirectTarget) {
  useEffect(() => {
    if (external) loadPage(to, { external, replace: true })
  }, [to, external])
  return external ? <Loading /> : <Navigate to={to} replace />
}

/** Until the first screen's code is there. */
function Loading() {
  return <output className="sr-only">{appMessages.loading}</output>
}

/** Without the half that works no screen can do anything: the error page says so, and how to go on. */
function useThrowEngineFailure(): void {
  const { failure } = sync()
  const failed = useSyncExternalStore(failure.subscribe, failure.get)
  if (failed !== undefined) throw failed
}
