import { useEffect, useState } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { trackPage, type AnalyticsProject } from './analytics.ts'
import { pagePath } from './page-path.ts'

/**
 * Records each navigation of the user, if there is a project. A replaced address counts only if it leads to another
 * page, because typing in a search replaces it as well.
 */
export function usePageViews(project: AnalyticsProject | undefined): void {
  const location = useLocation()
  const isReplaced = useNavigationType() === NavigationType.Replace
  const { key } = location
  const path = pagePath(location)
  const [view, setView] = useState({ key, path })
  if (view.path !== path || (!isReplaced && view.key !== key)) setView({ key, path })
  useEffect(() => {
    if (project) trackPage(project, view.path)
  }, [project, view])
}
