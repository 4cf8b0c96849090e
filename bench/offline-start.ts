// A cold start without a network: how long until the first plans are painted.
import { Browser } from './browser.ts'
import type { Place, Scenario } from './measure.ts'
import { seededProfile } from './seeded-profile.ts'

/** How many times slower a phone is. */
const SLOWDOWN = 4
/** Milliseconds in which a new browser is busy with its own start. */
const SETTLE_MS = 700

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

/** One start: milliseconds until the first plans are visible, and until they can be used. */
async function start(profile: string, url: string): Promise<{ first: number; usable: number }> {
  await using browser = await Browser.start(profile, { offline: true, slowdown: SLOWDOWN })
  await browser.atEachStart(watchForPlans)
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  await browser.goto(url)
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
