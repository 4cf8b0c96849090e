// What is wrong with a screen for those who cannot see it well, or have a narrow one.
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { waitUntil } from './until.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const WIDTHS = [360, 1280]
const SCHEMES = ['light', 'dark'] as const

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** In the page: nothing is on its way to another colour or place. What goes on for ever is no way. */
async function isStill(): Promise<boolean> {
  for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve))
  return document
    .getAnimations()
    .every(
      (one) => one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Infinity,
    )
}

/** In the page: what axe says of it. Of what is right it need not tell where. */
async function runAxe(values: string[]) {
  const result = await window.axe?.run({
    runOnly: { type: 'tag', values },
    resultTypes: ['violations'],
  })
  if (!result) throw new Error('The page was left while it was looked at.')
  return result.violations
}

/** Looks at the screen that is open in each look; what is wrong with it, in readable lines. */
export async function axeViolationsOf(page: Page, screen: string): Promise<string[]> {
  const faults: string[] = []
  // Once for a document: to read its half a megabyte takes longer than to look at a screen.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  for (const width of WIDTHS)
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const look = `${screen}, ${width} px, ${colorScheme}`
      await waitUntil(`${look}: the theme follows the system`, async () => {
        const scheme = await page.evaluate(
          () => getComputedStyle(document.documentElement).colorScheme,
        )
        return scheme.includes(colorScheme)
      })
      await waitUntil(`${look}: nothing moves`, () => page.evaluate(isStill))
      const violations = await page.evaluate(runAxe, RULES)
      for (const { id, help, nodes } of violations)
        faults.push(`${look}: ${id} (${help}) at ${nodes.map(({ html }) => html).join(' | ')}`)
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (beyond > 0) faults.push(`${look}: ${beyond} px beyond the edge`)
    }
  return faults
}
