// A cold start without a network: how long until the first plans are painted.
import { Browser } from './browser.ts'
import { LIST, watchForAnswer } from './large-lists.ts'
import type { Place, Scenario } from './measure.ts'
import { seededProfile } from './seeded-profile.ts'

/** How many times slower a phone is. */
const SLOWDOWN = 4
/** Milliseconds in which a new browser is busy with its own start. */
const REST_MS = 700

declare global {
  interface Window {
    /** When the first plans are on the screen, and when they are the app's own rather than the snapshot. */
    painted: Promise<{ first: number; usable: number }>
  }
}

/** In the page: when the frames with the first plans are painted, from the start of the navigation. */
function watchForPlans(): void {
  const painted = (selector: string) =>
    new Promise<number>((resolve) => {
      new MutationObserver((_, watch) => {
        if (!document.querySelector(selector)) return
        watch.disconnect()
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now())
          port2.postMessage(0)
        })
      }).observe(document, { subtree: true, childList: true })
    })
  window.painted = Promise.all([
    painted('[data-plan]'),
    painted('[data-plan]:not([inert] *)'),
  ]).then(([first, usable]) => ({ first, usable }))
}

/** Starts the browser without a network, and navigates when it is idle. */
async function open(profile: string, url: string): Promise<Browser> {
  const browser = await Browser.start(profile, { offline: true, slowdown: SLOWDOWN })
  await browser.atEachStart(watchForPlans)
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  await browser.goto(url)
  return browser
}

/** One start: milliseconds until the first plans are visible, and until they can be used. */
async function start(profile: string, url: string): Promise<{ first: number; usable: number }> {
  await using browser = await open(profile, url)
  return await browser.run(() => window.painted)
}

const list = (app: string) => `${app}/success-plans`

/** The first rows, beside a page without a framework. */
export async function offlineStart({ folder }: Place): Promise<Scenario> {
  const { profile, app, floor } = await seededProfile(folder)
  return {
    measures: { 'offline-start': { unit: 'ms', goal: { at: 'most', ratio: 1 } } },
    async sample(side) {
      const { first } = await start(profile, side === 'ours' ? list(app) : `${floor}/`)
      return { 'offline-start': first }
    },
  }
}

/** Time to the first rows and to usable plans, beside a page with the same libraries only. */
export async function offlineUsable({ folder }: Place): Promise<Scenario> {
  const { profile, app, stack } = await seededProfile(folder)
  const goal = { at: 'most', ratio: 1 } as const
  return {
    measures: { 'offline-content': { unit: 'ms', goal }, 'offline-usable': { unit: 'ms', goal } },
    async sample(side) {
      const { first, usable } = await start(profile, side === 'ours' ? list(app) : `${stack}/`)
      return { 'offline-content': first, 'offline-usable': usable }
    },
  }
}

/** The app with 20,000 plans beside the app with 200. */
export async function offlineStart20k({ folder }: Place): Promise<Scenario> {
  const many = await seededProfile(folder, 20_000)
  const few = await seededProfile(folder, 200)
  const goal = { at: 'most', ratio: 1.3 } as const
  return {
    measures: {
      'offline-start-20k': { unit: 'ms', goal },
      'offline-usable-20k': { unit: 'ms', goal },
    },
    async sample(side) {
      const { profile, app } = side === 'ours' ? many : few
      const { first, usable } = await start(profile, list(app))
      return { 'offline-start-20k': first, 'offline-usable-20k': usable }
    },
  }
}

/** Milliseconds in which the first key and the first tap are to be answered. */
const ANSWER_MS = 200
/** A key that many plans have in their title or account. */
const KEY = '9'

/** Presses a key in the list's search; milliseconds until the frame with the plans that have it. */
async function pressKey(browser: Browser): Promise<number> {
  await browser.run(async (line) => {
    await window.painted
    document.querySelector<HTMLInputElement>(line)?.focus()
  }, LIST.line)
  await browser.run(watchForAnswer, KEY, LIST)
  await browser.press(KEY, { text: KEY })
  return await answered(browser)
}

/** Taps the first plan; milliseconds until the frame with its page. */
async function tapPlan(browser: Browser): Promise<number> {
  const place = await browser.run(watchForPlan)
  const press = { ...place, button: 'left', clickCount: 1 }
  for (const type of ['mousePressed', 'mouseReleased'])
    await browser.send('Input.dispatchMouseEvent', { type, ...press })
  return await answered(browser)
}

/** In the page: when plans can be used, waits for a tap, and then for the page of the first one. Its place. */
async function watchForPlan(): Promise<{ x: number; y: number }> {
  await window.painted
  const row = document.querySelector<HTMLAnchorElement>('[data-plan]:not([inert] *)')
  if (!row) throw new Error('There is no plan.')
  const { pathname, textContent: text } = row
  window.answered = new Promise((resolve) => {
    const look = (from: number) => {
      const title = document.querySelector('h1')?.textContent
      if (location.pathname !== pathname || !title || !text.startsWith(title))
        return void requestAnimationFrame(() => look(from))
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - from)
      port2.postMessage(0)
      return undefined
    }
    const begin = ({ timeStamp }: PointerEvent) => requestAnimationFrame(() => look(timeStamp))
    addEventListener('pointerup', begin, { capture: true, once: true })
  })
  const { x, y, width, height } = row.getBoundingClientRect()
  return { x: x + width / 2, y: y + height / 2 }
}

/** Rejects when the press is lost. */
const answered = (browser: Browser) =>
  browser.run(() => {
    const lost = new Promise<never>((_, reject) => {
      setTimeout(reject, 10_000, new Error('The first press was not answered.'))
    })
    return Promise.race([window.answered, lost])
  })

/** The first press, as soon as the plans are the app's own. */
export async function offlineFirstPress({ folder }: Place): Promise<Scenario> {
  const { profile, app } = await seededProfile(folder)
  const goal = { at: 'most', ratio: 1 } as const
  const after = async (press: (browser: Browser) => Promise<number>) => {
    await using browser = await open(profile, list(app))
    return await press(browser)
  }
  return {
    measures: {
      'offline-first-key': { unit: 'ms', goal },
      'offline-first-tap': { unit: 'ms', goal },
    },
    async sample(side) {
      if (side === 'floor')
        return { 'offline-first-key': ANSWER_MS, 'offline-first-tap': ANSWER_MS }
      return {
        'offline-first-key': await after(pressKey),
        'offline-first-tap': await after(tapPlan),
      }
    },
  }
}
