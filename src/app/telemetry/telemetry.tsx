import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '../../sync/react/use-sync.ts'
import { loadStartupConfig } from '../boot/runtime-config.ts'
import {
  setPersistence,
  analyticsProjectOf,
  trackPage,
  type AnalyticsProject,
} from './analytics.ts'
import { useConsent } from './consent.ts'
import { ConsentBanner } from './consent-banner.tsx'
import { pagePath } from './page-path.ts'
import type { Config } from '../../../contract/schemas/config.ts'
import { CallError } from '../../sync/client.ts'
import { isMissingChunk } from '../navigation/lazy-screen.tsx'
import { setErrorHandler } from './early-errors.ts'

/**
 * Starts error reports (where configured) and page views (with consent), and shows the consent banner
 * until it is answered. `arrived` is false while the guards are about to redirect.
 */
export function Telemetry({ arrived }: { arrived: boolean }) {
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
  return project && consent === undefined ? <ConsentBanner /> : null
}

function usePageViews(project: AnalyticsProject | undefined) {
  const path = pagePath(useLocation())
  useEffect(() => {
    if (project) trackPage(project, path)
  }, [project, path])
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
