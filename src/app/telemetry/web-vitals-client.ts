// The web vitals of this page, for all who report them. A module of the app, because ad blockers know the
// library's file by its name.
import { onCLS, onINP, onLCP, type Metric } from 'web-vitals'

/** Calls `report` with LCP, INP and CLS (https://web.dev/articles/vitals), at the latest when the page is hidden. */
export function watchWebVitals(report: (metric: Metric) => void): void {
  onLCP(report)
  onINP(report)
  onCLS(report)
}
