import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useCapability, useSession } from '../../sync/react/use-sync.ts'
import { loadStartupConfig } from '../boot/runtime-config.ts'
import { setPersistence, analyticsProjectOf, type AnalyticsProject } from './analytics.ts'
import { useConsent } from './consent.ts'
import { usePageViews } from './use-page-views.ts'
import type { Config } from '../../../contract/schemas/config.ts'
import { CallError } from '../../sync/client.ts'
import { isMissingChunk } from '../navigation/lazy-screen.tsx'
import { setErrorHandler } from './early-errors.ts'
import type { VitalsReporter } from './vitals-client.ts'

/** Loaded where there is something to ask. If the chunk is blocked, it is not asked. */
const ConsentBanner = lazy(async () => ({
  default: await import('./consent-banner.tsx').then(
    (loaded): ComponentType => loaded.ConsentBanner,
    () => () => null,
  ),
}))

/**
 * Starts error reports (where configured), page views and the measuring of speed (with consent), and shows
 * the consent banner until it is answered. `arrived` is false while the guards are about to redirect.
 */
export function Telemetry({ arrived }: { arrived: boolean }): ReactNode {
  const [project, setProject] = useState<AnalyticsProject>()
  const consent = useConsent()
  const persist = useSession() !== null && consent === 'yes'

  useEffect(() => {
    void loadStartupConfig().then((config) => {
      startErrorReports(config)
      setProject(analyticsProjectOf(config))
    })
  }, [])

  // Nothing is stored for signed-out users, or after consent was withdrawn.
  useEffect(() => void setPersistence(persist), [persist])

  usePageViews(consent === 'yes' && arrived ? project : undefined)
  useVitals(useCapability('vitals') && consent === 'yes' && arrived)
  if (!project || consent !== undefined) return null
  return (
    <Suspense>
      <ConsentBanner />
    </Suspense>
  )
}

let vitals: Promise<VitalsReporter | undefined> | undefined

/** Loads the measuring of the app's speed once there is nothing else to do. */
const loadVitals = (): Promise<VitalsReporter | undefined> =>
  (vitals ??= new Promise<void>((resolve) => whenIdle(() => resolve()))
    .then(() => import('./vitals-client.ts'))
    .then(({ startVitals }) => startVitals())
    // Blocked or unavailable: nothing is measured.
    .catch(() => undefined))

/** Safari has no idle callbacks. */
const whenIdle = (callback: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(callback) : setTimeout(callback, 1_000)

/** Reports how fast the app is to its own server. */
function useVitals(isWanted: boolean) {
  const { pathname } = useLocation()
  useEffect(() => {
    if (isWanted) void loadVitals().then((reporter) => reporter?.visit(pathname))
  }, [isWanted, pathname])
}

/** Only defects of the app. Network failures, rejected requests and missing chunks are expected. */
const isReportable = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof CallError) &&
  error.name !== 'AbortError' &&
  !isMissingChunk(error)

/**
 * Reports errors from now on, and those collected so far, if a DSN is configured. The client is loaded
 * with the first error; if it is blocked, nothing is reported.
 */
function startErrorReports(config: Config): void {
  let client: Promise<((error: unknown) => void) | undefined> | undefined
  setErrorHandler((error) => {
    if (config.sentryDsn === null || !isReportable(error)) return
    client ??= import('./sentry-client.ts')
      .then(({ startSentry }) => startSentry(config))
      .catch(() => undefined)
    void client.then((report) => report?.(error))
  })
}
