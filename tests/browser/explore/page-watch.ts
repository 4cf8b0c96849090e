// Watches the pages of a device while an exploration runs: what does not end in time, console errors.
import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core'
import { stateMessages } from '../../../src/widgets/operations/messages.ts'
import type { FaultProxy } from '../fixtures/fault-proxy.ts'
import type { Weather } from './weather.ts'

/** A busy state may last so long, in milliseconds. */
const MAX_BUSY_MS = 10_000
const SAMPLE_MS = 500
const BUSY_TAG = 'explore: busy '

interface BusyState {
  what: string
  /** Whether the screen says that the device is offline, or that something waits. */
  isExplained: boolean
}

/**
 * In the page: reports each busy state once it was there in as many samples in a row as `maxMs`
 * allows. Samples are counted, so that a page that gets no processor time is not blamed.
 */
function watchBusyStates(given: { texts: string[]; maxMs: number; sampleMs: number; tag: string }) {
  const samples = new Map<string, number>()
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]')
  const placeOf = (element: Element) =>
    element.closest('li, article, form, [role=dialog], main')?.textContent.slice(0, 80) ?? ''
  const busyStates = () => {
    const found: string[] = []
    for (const element of document.querySelectorAll('[aria-busy=true], output, .animate-spin')) {
      const text = element.textContent.trim()
      const isBusy = !element.matches('output') || /^(Loading|Searching|Getting)/.test(text)
      if (isBusy && isShown(element)) found.push(`${text} in ${placeOf(element)}`)
    }
    for (const mark of document.querySelectorAll('span, output'))
      if (given.texts.includes(mark.textContent.trim()) && isShown(mark))
        found.push(`${mark.textContent} in ${placeOf(mark)}`)
    return new Set(found)
  }
  setInterval(() => {
    if (!document.body || document.visibilityState === 'hidden') return
    const now = busyStates()
    for (const what of samples.keys()) if (!now.has(what)) samples.delete(what)
    for (const what of now) {
      const count = (samples.get(what) ?? 0) + 1
      samples.set(what, count)
      if (count * given.sampleMs !== given.maxMs) continue
      const isExplained = /offline|waiting|not on this device/i.test(document.body.innerText)
      console.debug(given.tag + JSON.stringify({ what, isExplained }))
    }
  }, given.sampleMs)
}

const TICK_MS = 100

/**
 * Whether `check` holds within ten seconds. Ticks of the page are counted, so that a page that gets no processor time
 * is not blamed.
 */
export async function holdsSoon(page: Page, check: () => Promise<boolean>): Promise<boolean> {
  for (let tick = 0; tick < MAX_BUSY_MS / TICK_MS; tick += 1) {
    if (await check()) return true
    // The tick of a page that is left ends early.
    await page
      .evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), TICK_MS)
      .catch(() => undefined)
  }
  return await check()
}

/** Watches a browser's pages; calls `violate` with the name of the property and what was seen. */
export async function watchPages(
  context: BrowserContext,
  network: FaultProxy,
  weather: Weather,
  violate: (property: string, why: string) => void,
): Promise<void> {
  const texts = [stateMessages.saving, stateMessages.sending]
  await context.addInitScript(watchBusyStates, {
    texts,
    tag: BUSY_TAG,
    maxMs: MAX_BUSY_MS,
    sampleMs: SAMPLE_MS,
  })
  context.on('console', (message) => {
    const text = message.text()
    if (text.startsWith(BUSY_TAG)) {
      const { what, isExplained } = JSON.parse(text.slice(BUSY_TAG.length)) as BusyState
      const isExcused = isExplained && weather.wasBadWithin(MAX_BUSY_MS)
      if (!isExcused) violate('no busy state lasts over 10 s', what)
    } else if (message.type() === 'error' && !isCausedByNetwork(message, network, weather))
      violate('no console error', `${text} (${message.location().url})`)
  })
}

/** Statuses of our own server that the app handles: expired token, missing right or record, conflict. */
const HANDLED = new Set([401, 403, 404, 409, 412, 422])
const STATUS = /^Failed to load resource: the server responded with a status of (\d+)/
const BROKEN = /^Failed to load resource: net::ERR_/
const RECENT_MS = 5_000

/** Whether the browser reported a request that the proxy failed on purpose, or a handled answer. */
function isCausedByNetwork(
  message: ConsoleMessage,
  network: FaultProxy,
  weather: Weather,
): boolean {
  const { url } = message.location()
  const path = URL.canParse(url) ? new URL(url).pathname : ''
  const status = Number(STATUS.exec(message.text())?.[1])
  const exchanges = network.exchanges.filter((one) => one.path.split('?')[0] === path)
  if (status > 0)
    return exchanges.some(
      (one) => one.status === status && (one.upstream === undefined || HANDLED.has(status)),
    )
  if (!BROKEN.test(message.text())) return false
  // A broken connection: of a lost request or answer, or because the network went down.
  return weather.wasBadWithin(RECENT_MS) || exchanges.some((one) => one.status === undefined)
}
