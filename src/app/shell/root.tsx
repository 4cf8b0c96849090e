import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { Navigate, Outlet } from 'react-router'
import { sync } from '../../sync/client.ts'
import { optionalPart } from '../../ui/platform/lazy-part.tsx'
import { loadPage } from '../../ui/platform/load-page.ts'
import { Toaster } from '../../ui/overlay/toast.tsx'
import { PaletteHost } from '../palette/palette-host.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import type { RedirectTarget } from '../navigation/guards.ts'
import { useNewVersion } from '../boot/next-build.ts'
import { ScrollMemory } from '../navigation/scroll-memory.tsx'
import { useGuards } from '../navigation/use-guards.ts'
import { appMessages } from './messages.ts'

const UpdatePrompt = optionalPart(async () => (await import('./update-prompt.tsx')).UpdatePrompt)

/** Needed once a link was followed. */
const FocusMemory = optionalPart(
  async () => (await import('../navigation/focus-memory.tsx')).FocusMemory,
)

/** Loaded after the engine. */
const Telemetry = optionalPart(async () => {
  await sync().ready()
  return (await import('../telemetry/telemetry.tsx')).Telemetry
})

/** What surrounds every screen, whatever its layout. */
export function Root() {
  const { redirect, admitted } = useGuards()
  const { next, accept } = useNewVersion()
  useThrowEngineFailure()
  return (
    <>
      <Suspense>
        <Telemetry arrived={admitted} />
      </Suspense>
      <Suspense>
        {next !== 'none' && <UpdatePrompt accepted={next === 'accepted'} onAccept={accept} />}
      </Suspense>
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          {redirect && <Redirect {...redirect} />}
          {admitted ? <Outlet /> : <Loading />}
        </Suspense>
      </ErrorBoundary>
      <PaletteHost />
      <Toaster />
      <Suspense>
        <FocusMemory />
      </Suspense>
      <ScrollMemory />
    </>
  )
}

/** Navigates to the redirect target; leaves for another site with a full page load. */
function Redirect({ to, external = false }: RedirectTarget) {
  useEffect(() => {
    if (external) loadPage(to, { external, replace: true })
  }, [to, external])
  return external ? <Loading /> : <Navigate to={to} replace />
}

/** Shown until the first screen's chunk has loaded. */
function Loading() {
  return <output className="sr-only">{appMessages.loading}</output>
}

/**
 * Throws if the engine chunk failed to load: no screen works without it, and the error page explains
 * how to continue.
 */
function useThrowEngineFailure(): void {
  const { failure } = sync()
  const failed = useSyncExternalStore(failure.subscribe, failure.get)
  if (failed !== undefined) throw failed
}
