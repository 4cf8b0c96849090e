// The browser closed and opened again without a network: how long until the first plans are painted.
import { Browser } from './browser.ts'
import type { Place, Scenario } from './measure.ts'
import { primedProfile } from './primed.ts'

/** A phone is about so many times slower. */
const SLOWDOWN = 4
/** A new browser is busy with itself at first. Milliseconds. */
const SETTLING = 700

declare global {
  interface Window {
    painted: Promise<number>
  }
}

/** In the page: when the frame with the first plans is painted, from the navigation's own beginning. */
function watchForPlans(): void {
  window.painted = new Promise((resolve) => {
    new MutationObserver((_, watch) => {
      if (!document.querySelector('[data-plan]')) return
      watch.disconnect()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(0)
      })
    }).observe(document, { subtree: true, childList: true })
  })
}

export async function offlineStart({ folder }: Place): Promise<Scenario> {
  const { profile, app, floor } = await primedProfile(folder)
  return {
    measures: { 'offline-start': { unit: 'ms', goal: { at: 'most', ratio: 1 } } },
    async sample(side) {
      await using browser = await Browser.start(profile, { offline: true, slowdown: SLOWDOWN })
      await browser.atEachStart(watchForPlans)
      await new Promise((resolve) => setTimeout(resolve, SETTLING))
      await browser.goto(side === 'ours' ? `${app}/success-plans` : `${floor}/`)
      return { 'offline-start': await browser.run(() => window.painted) }
    },
  }
}
