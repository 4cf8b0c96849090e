// A large organisation in the open app: palette, scrolling, memory.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { waitUntil } from '../tests/browser/fixtures/wait-until.ts'
import { Browser } from './browser.ts'
import type { Place, Scenario, Side } from './measure.ts'
import { startLatencyServer } from './latency-server.ts'
import { copyProfile, seededProfile, type SeededProfile } from './seeded-profile.ts'

const SLOWDOWN = 4
/** Only one plan has it in its title, and nothing else has it: the last key needs a search through everything. */
const QUERY = '9998'
/** Pixels, and pixels per second: about the speed of a fling. */
const SCROLL = { yDistance: -24_000, speed: 8_000 }
const MB = 1_000_000
/** Milliseconds until an app that was just opened is idle. */
const REST_MS = 3_000

declare global {
  interface Window {
    /** Milliseconds from the next key press to the frame with its result. */
    answered: Promise<number>
    /** The number of frames, and their duration in milliseconds. */
    flight: { count: number; taken: number; end: boolean }
  }
}

const shows = (browser: Browser) =>
  waitUntil('the plans are rendered', () =>
    browser.run(() => document.querySelector('[data-plan]:not([inert] *)') !== null),
  )

/** The hand-written page, or the app's own rows in a bare React page. */
type Floor = 'big-list' | 'react-list'
/** The accepted ratio to the bare React page. */
const TO_REACT = 1.1

/** The app, and a floor, each in its own browser with the same 10,000 plans. */
async function openBoth(
  { folder, ends }: Place,
  measured: string,
  page: Floor = 'big-list',
): Promise<Record<Side, Browser>> {
  const name = `${measured}-${page}`
  const primed = await seededProfile(folder, 10_000)
  const ours = ends.use(
    await Browser.start(await copyProfile(primed, join(folder, `${name}-ours`)), {
      offline: true,
      slowdown: SLOWDOWN,
    }),
  )
  await ours.goto(`${primed.app}/success-plans`)
  const peer = await startLatencyServer(
    await writeFloor(page, primed, join(folder, `${name}-files`)),
  )
  ends.defer(() => peer.stop())
  const floor = ends.use(await Browser.start(join(folder, `${name}-floor`), { slowdown: SLOWDOWN }))
  await floor.goto(`${peer.url}/`)
  await Promise.all([shows(ours), shows(floor)])
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  return { ours, floor }
}

async function writeFloor(page: Floor, records: SeededProfile, files: string): Promise<string> {
  const root = join(import.meta.dirname, 'floors', page)
  await mkdir(files)
  if (page === 'big-list') await cp(root, files, { recursive: true })
  else
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      plugins: [react(), tailwindcss()],
      build: { outDir: files, emptyOutDir: true, target: 'esnext', modulePreload: false },
    })
  const { plans, accounts, updates } = records
  await writeFile(join(files, 'records.json'), JSON.stringify({ plans, accounts, updates }))
  return files
}

/** Selectors of the input and of the results. */
const PALETTE = { line: 'dialog[open] input', found: 'dialog [role=option]' }
export const LIST = { line: 'input[type=search]', found: '[data-plan]' }

/** In the page: waits for a key press, and then for results that all contain `text`. */
export function watchForAnswer(text: string, { line, found }: typeof PALETTE): void {
  window.answered = new Promise((resolve) => {
    const look = (from: number) => {
      const finds = [...document.querySelectorAll(found)]
      const isAnswered =
        document.querySelector<HTMLInputElement>(line)?.value === text &&
        finds.length > 0 &&
        finds.every((find) => find.textContent.includes(text))
      if (!isAnswered) return void requestAnimationFrame(() => look(from))
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - from)
      port2.postMessage(0)
      return undefined
    }
    const begin = ({ timeStamp }: KeyboardEvent) => requestAnimationFrame(() => look(timeStamp))
    addEventListener('keydown', begin, { capture: true, once: true })
  })
}

/** Milliseconds for each key of the search text, which is deleted again. */
async function measureSearch(browser: Browser, where: typeof PALETTE): Promise<number> {
  let taken = 0
  for (let typed = 1; typed <= QUERY.length; typed += 1) {
    await browser.run(watchForAnswer, QUERY.slice(0, typed), where)
    await browser.press(QUERY[typed - 1] ?? '', { text: QUERY[typed - 1] ?? '' })
    taken += await browser.run(() => window.answered)
  }
  for (const _ of QUERY) await browser.press('Backspace', {})
  await isEmpty(browser, where)
  return taken / QUERY.length
}

const isEmpty = (browser: Browser, { line }: typeof PALETTE) =>
  waitUntil('the search field is empty', () =>
    browser.run((line) => document.querySelector<HTMLInputElement>(line)?.value === '', line),
  )

/** From a key press to the frame with the palette's results, among 10,000 plans. */
export async function palette(place: Place, page?: Floor): Promise<Scenario> {
  const name = page ? 'palette-key, React' : 'palette-key'
  const sides = await openBoth(place, 'palette', page)
  for (const browser of Object.values(sides)) {
    await browser.press('k', { modifiers: 2 })
    await isEmpty(browser, PALETTE)
  }
  return {
    measures: { [name]: { unit: 'ms', goal: { at: 'most', ratio: page ? TO_REACT : 1.3 } } },
    sample: async (side) => ({ [name]: await measureSearch(sides[side], PALETTE) }),
  }
}

/** From a key press in the list's search to the frame with the remaining plans. */
export async function filtering(place: Place, page?: Floor): Promise<Scenario> {
  const name = page ? 'filter-key, React' : 'filter-key'
  const sides = await openBoth(place, 'filtering', page)
  for (const browser of Object.values(sides))
    await browser.run((line) => document.querySelector<HTMLInputElement>(line)?.focus(), LIST.line)
  return {
    measures: { [name]: { unit: 'ms', goal: { at: 'most', ratio: page ? TO_REACT : 1.3 } } },
    sample: async (side) => ({ [name]: await measureSearch(sides[side], LIST) }),
  }
}

/** In the page: counts frames until stopped. */
function countFrames(): void {
  const from = performance.now()
  const flight = { count: 0, taken: 0, end: false }
  window.flight = flight
  const count = (now: number) => {
    flight.count += 1
    flight.taken = now - from
    if (!flight.end) requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
}

/** Frames per second while a list of 10,000 plans scrolls. */
export async function scrolling(place: Place, page?: Floor): Promise<Scenario> {
  const name = page ? 'scrolling, React' : 'scrolling'
  const sides = await openBoth(place, 'scrolling', page)
  return {
    measures: { [name]: { unit: '/s', goal: { at: 'least', ratio: page ? 1 / TO_REACT : 0.99 } } },
    async sample(side) {
      const browser = sides[side]
      await browser.run(() => scrollTo(0, 0))
      await browser.run(countFrames)
      await browser.send('Input.synthesizeScrollGesture', {
        x: 200,
        y: 600,
        gestureSourceType: 'mouse',
        preventFling: true,
        ...SCROLL,
      })
      const { count, taken, top } = await browser.run(() => {
        window.flight.end = true
        return { ...window.flight, top: scrollY }
      })
      if (top < -SCROLL.yDistance * 0.9) throw new Error(`It scrolled ${top} pixels only.`)
      return { [name]: count / (taken / 1_000) }
    },
  }
}

/** In the page: leaves the list, by opening its first plan, or in the floor by hiding it until the way back. */
async function leaveList(side: Side): Promise<void> {
  const row = document.querySelector<HTMLElement>('[data-plan]:not([inert] *)')
  if (side === 'ours') (row?.querySelector('a') ?? row)?.click()
  else {
    history.pushState(null, '')
    document.body.hidden = true
    addEventListener('popstate', () => (document.body.hidden = false), { once: true })
  }
  while (row?.checkVisibility()) await new Promise(requestAnimationFrame)
}

/** In the page: milliseconds from going back to the frame with the rows. */
async function returnToList(): Promise<number> {
  const from = performance.now()
  history.back()
  const isShown = () =>
    [...document.querySelectorAll('[data-plan]')].some((row) => row.checkVisibility())
  while (!isShown()) await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  return performance.now() - from
}

/** From the way back from a plan to the frame with the list of 10,000. */
export async function back(place: Place): Promise<Scenario> {
  const sides = await openBoth(place, 'back')
  return {
    measures: { 'back-to-list': { unit: 'ms', goal: { at: 'most', ratio: 2 } } },
    async sample(side) {
      await sides[side].run(leaveList, side)
      await new Promise((resolve) => setTimeout(resolve, REST_MS))
      return { 'back-to-list': await sides[side].run(returnToList) }
    },
  }
}

/** MB of the open page once it is at rest. */
async function heapOf(browser: Browser): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  await browser.send('HeapProfiler.collectGarbage')
  const heap = await browser.send('Runtime.getHeapUsage')
  const parts = ['usedSize', 'embedderHeapUsedSize', 'backingStorageSize']
  return parts.reduce((sum, part) => sum + Number(heap[part] ?? 0), 0) / MB
}

/**
 * The memory of the open app's page, beside its plans and accounts as plain JSON; and with a plan open and the list
 * kept behind it, beside a plan that was opened by its address.
 */
export async function memory({ folder }: Place): Promise<Scenario> {
  const { profile, app, plans, accounts } = await seededProfile(folder, 20_000)
  const json = JSON.stringify([plans.map((plan) => ({ ...plan, account: undefined })), accounts])
  return {
    measures: {
      'memory-20k': { unit: 'MB', goal: { at: 'most', ratio: 6 } },
      'memory-20k, list kept': { unit: 'MB', goal: { at: 'most', ratio: 1.1 } },
    },
    async sample(side) {
      await using browser = await Browser.start(profile, { offline: true })
      if (side === 'floor') {
        await browser.goto(`${app}/success-plans/${plans[0]?.id}`)
        await waitUntil('the plan is rendered', () =>
          browser.run(
            (title) =>
              [...document.querySelectorAll('h1')].some((one) => one.textContent.includes(title)),
            plans[0]?.title ?? '',
          ),
        )
        return {
          'memory-20k': Buffer.byteLength(json) / MB,
          'memory-20k, list kept': await heapOf(browser),
        }
      }
      await browser.goto(`${app}/success-plans`)
      await shows(browser)
      const list = await heapOf(browser)
      await browser.run(leaveList, side)
      return { 'memory-20k': list, 'memory-20k, list kept': await heapOf(browser) }
    },
  }
}
