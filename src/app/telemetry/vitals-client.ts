// Measures how fast the app is on this device, and sends it to the server when the page is hidden: with
// consent, to a server with the capability `vitals`, without tokens and ids.
import type { Metric } from 'web-vitals'
import {
  MAX_VITALS,
  pageOf,
  VITALS_PATH,
  type Page,
  type Vital,
} from '../../../contract/schemas/vitals.ts'
import { sync } from '../../sync/client.ts'
import { firstRows } from '../../ui/list/row-window.ts'
import { config } from '../boot/runtime-config.ts'
import { consent } from './consent.ts'
import { watchReconnects } from './reconnect-time.ts'
import { watchWebVitals } from './web-vitals-client.ts'

/** Measures from now on. */
export interface VitalsReporter {
  /** The user has opened this path. */
  visit: (pathname: string) => void
}

/** Not yet sent. */
const collected: Vital[] = []

function collect(vital: Vital): void {
  if (consent() === 'yes' && collected.length < MAX_VITALS) collected.push(vital)
}

/** Starts to measure. Called at most once. */
export function startVitals(): VitalsReporter {
  const visits: { atMs: number; page: Page }[] = []
  const pageAt = (atMs: number) => visits.findLast((visit) => visit.atMs <= atMs)?.page ?? 'other'
  const counted = new Set<string>()
  const page = sync()

  watchWebVitals(({ id, name, value, entries }: Metric) => {
    // Each counts once for a load: what is aggregated cannot be corrected later.
    if ((name !== 'LCP' && name !== 'INP' && name !== 'CLS') || counted.has(id)) return
    counted.add(id)
    const atMs = name === 'LCP' ? 0 : (entries[0]?.startTime ?? 0)
    collect({ name, page: pageAt(atMs), value })
  })
  page.lastSave.subscribe(() => {
    const save = page.lastSave.get()
    if (save) collect({ name: 'post-to-saved', value: save.ms })
  })
  watchReconnects(page, (value) => collect({ name: 'reconnect-to-sent', value }))

  let hasRows = false
  // On the window, behind the listeners of the library, which report the last values.
  addEventListener('visibilitychange', () => {
    if (!document.hidden) return
    if (firstRows.atMs !== undefined && !hasRows) {
      hasRows = true
      collect({ name: 'start-to-rows', value: firstRows.atMs })
    }
    send()
  })

  return {
    // The first page was open before this was loaded.
    visit: (pathname) =>
      void visits.push({
        atMs: visits.length === 0 ? 0 : performance.now(),
        page: pageOf(pathname),
      }),
  }
}

/** Sends what was collected, once: what does not arrive is lost. Without consent, nothing. */
function send(): void {
  const vitals = collected.splice(0)
  if (vitals.length === 0 || consent() !== 'yes') return
  // Continues when the page is closed. Not a beacon, which would send the cookies along.
  void fetch(config().apiBaseUrl + VITALS_PATH, {
    method: 'POST',
    body: JSON.stringify({ vitals }),
    headers: { 'Content-Type': 'application/json' },
    credentials: 'omit',
    keepalive: true,
  }).catch(() => undefined)
}
