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
import { startErrorReports } from './error-reports.ts'
import { pagePath } from './page-path.ts'

/**
 * What leaves the device for others: error reports where they are configured, page views where somebody
 * agreed as well. Shows the question about these until it is answered. `arrived` unless the guards are about
 * to lead on from here.
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

  // Nothing is kept of who is not signed in, or does not agree any more.
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
