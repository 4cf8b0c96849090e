// A first download in the app, on a phone over a slow line: first rows, everything, what the main thread is
// busy with meanwhile, and what a key then takes. The real server is on the same machine.
import { join } from 'node:path'
import type { Changes } from '../contract/schemas/changes.ts'
import { ServerProcess } from '../tests/browser/fixtures/server-process.ts'
import { waitUntil } from '../tests/browser/fixtures/wait-until.ts'
import { Browser } from './browser.ts'
import { fill, type SeedResult } from './fill-database.ts'
import { LIST } from './large-lists.ts'
import type { Place, Scenario, Side } from './measure.ts'
import { builtApp, signIn, SIZES, type Plans } from './seeded-profile.ts'

const SLOWDOWN = 4
/** "Slow 4G" of the browser's developer tools. */
const LINE = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 180_000,
  uploadThroughput: 84_375,
}
const TIMEOUT_MS = 600_000
const REST_MS = 5_000
/** Between two keys, in milliseconds: about the pace of a slow typist. */
const KEY_PAUSE_MS = 400
const KEYS = 12
const MB = 1_000_000
/** Of the time of a download, what tasks may last beyond 50 ms. */
const BLOCKED_SHARE = 0.1

declare global {
  interface Window {
    download: {
      /** When the first plans are painted, from the start of the navigation. */
      first?: number
      /** Milliseconds that tasks lasted beyond 50. */
      blocked: number
      /** The longest time from a key to the next frame, in milliseconds. */
      slowest: number
    }
  }
}

/** In the page, at its start. */
function watchDownload(): void {
  const seen: Window['download'] = { blocked: 0, slowest: 0 }
  window.download = seen
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.blocked += duration - 50
  }).observe({ type: 'longtask' })
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries())
      if (name === 'keydown') seen.slowest = Math.max(seen.slowest, duration)
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  new MutationObserver((_, watch) => {
    if (!document.querySelector('[data-plan]')) return
    watch.disconnect()
    requestAnimationFrame(() => (seen.first = performance.now()))
  }).observe(document, { subtree: true, childList: true })
}

/** In the page: downloads the same pages one after the other, and keeps nothing. */
async function downloadBarely(token: string, organisation: string) {
  const headers = { Authorization: `Bearer ${token}`, 'X-organisation': organisation }
  const from = performance.now()
  let first: number | undefined
  for (let since = 0, more = true; more;) {
    const answer = await fetch(`/api/v1/changes?since=${since}`, { headers })
    const page = (await answer.json()) as Pick<Changes, 'version' | 'more' | 'data'>
    // Accounts have the first versions: a large organisation's first pages have no plans.
    if (page.data.success_plans?.length) first ??= performance.now() - from
    ;({ version: since, more } = page)
  }
  return { first: first ?? NaN, whole: performance.now() - from }
}

/** Types in the list's search; the longest time from a key to its frame, in milliseconds. */
async function slowestKey(browser: Browser): Promise<number> {
  await browser.run((line) => {
    document.querySelector<HTMLInputElement>(line)?.focus()
    window.download.slowest = 0
  }, LIST.line)
  for (let pressed = 0; pressed < KEYS; pressed += 1) {
    if (pressed % 2 === 0) await browser.press('9', { text: '9' })
    else await browser.press('Backspace', {})
    await new Promise((resolve) => setTimeout(resolve, KEY_PAUSE_MS))
  }
  return await browser.run(() => window.download.slowest)
}

const heapOf = async (browser: Browser) => {
  await browser.send('HeapProfiler.collectGarbage')
  const heap = await browser.send('Runtime.getHeapUsage')
  const parts = ['usedSize', 'embedderHeapUsedSize', 'backingStorageSize']
  return parts.reduce((sum, part) => sum + Number(heap[part] ?? 0), 0) / MB
}

const isWhole = (browser: Browser) =>
  waitUntil(
    'everything is on the device',
    () => browser.run(() => document.body?.innerText.includes('Up to date')),
    TIMEOUT_MS,
  )

async function onSlowLine(browser: Browser): Promise<void> {
  await browser.send('Network.enable')
  await browser.send('Network.emulateNetworkConditions', LINE)
}

/** A download in the app, which was installed before. */
async function download(profile: string, url: string, filled: SeedResult) {
  await using browser = await Browser.start(profile, { slowdown: SLOWDOWN })
  await browser.goto(`${url}/login`)
  await waitUntil('the app is installed', () =>
    browser.run(async () => {
      const worker = await navigator.serviceWorker.getRegistration()
      return worker?.active?.state === 'activated'
    }),
  )
  await signIn(browser, url, filled)
  await onSlowLine(browser)
  await browser.atEachStart(watchDownload)
  const list = `${url}/success-plans`
  await browser.goto(list)
  await waitUntil('the plans are rendered', () =>
    browser.run((line) => document.querySelector(line) !== null, '[data-plan]:not([inert] *)'),
  )
  const during = await slowestKey(browser)
  await isWhole(browser)
  const {
    first = NaN,
    blocked,
    now,
  } = await browser.run(() => ({
    ...window.download,
    now: performance.now(),
  }))
  const memory = await heapOf(browser)
  // At rest: the same records, read from the device.
  await browser.goto(list)
  await isWhole(browser)
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  const rest = { key: await slowestKey(browser), memory: await heapOf(browser) }
  return { first, whole: now, blocked, memory, during, rest }
}

/** The same pages by bare `fetch`, over the same line. */
async function barely(profile: string, url: string, { people, organisation }: SeedResult) {
  await using browser = await Browser.start(profile, { slowdown: SLOWDOWN })
  await browser.goto(`${url}/healthz`)
  await onSlowLine(browser)
  return await browser.run(downloadBarely, people[0]?.access_token ?? '', organisation.id)
}

/** What a download is measured by, with the unit and the accepted ratio. */
const MEASURES = [
  ['first rows', 'ms', 2],
  ['all', 'ms', 1.3],
  ['blocked', 'ms', 1],
  ['slowest key', 'ms', 1.5],
  ['memory', 'MB', 1.5],
] as const

/** One download of each kind gives a sample of both sides. */
export function firstDownload(plans: Plans): (place: Place) => Promise<Scenario> {
  return async ({ folder, ends }) => {
    const dataDir = join(folder, `download-${plans}`)
    const filled = await fill(dataDir, { plans, people: 1, updates: 5, ...SIZES[plans] })
    const server = await ServerProcess.start({ dataDir, dist: await builtApp(folder) })
    ends.defer(() => server.stop())
    const row = (name: string) => `first-download, ${plans.toLocaleString('en')} plans, ${name}`
    const taken: Record<Side, Record<string, number>[]> = { ours: [], floor: [] }
    const add = (side: Side, ...values: number[]) =>
      taken[side].push(
        Object.fromEntries(MEASURES.map(([name], at) => [row(name), values[at] ?? NaN])),
      )
    let downloads = 0
    return {
      measures: Object.fromEntries(
        MEASURES.map(([name, unit, ratio]) => [row(name), { unit, goal: { at: 'most', ratio } }]),
      ),
      async sample(side) {
        if (taken[side].length === 0) {
          downloads += 1
          const profile = join(folder, `download-${plans}-${downloads}`)
          const bare = await barely(`${profile}-bare`, server.url, filled)
          const ours = await download(profile, server.url, filled)
          add('ours', ours.first, ours.whole, ours.blocked, ours.during, ours.memory)
          const { key, memory } = ours.rest
          add('floor', bare.first, bare.whole, ours.whole * BLOCKED_SHARE, key, memory)
        }
        return taken[side].shift() ?? {}
      },
      // A sample of the large one takes minutes.
      ...(plans === 20_000 && { exact: true }),
    }
  }
}
