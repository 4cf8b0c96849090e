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
