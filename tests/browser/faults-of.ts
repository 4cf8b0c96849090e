// What is wrong with a screen for those who cannot see it well, or have a narrow one.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { until } from './until.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const WIDTHS = [360, 1280]
const SCHEMES = ['light', 'dark'] as const

/** Looks at the screen that is open in each look; what is wrong with it, in readable lines. */
export async function faultsOf(page: Page, screen: string): Promise<string[]> {
  const faults: string[] = []
  for (const width of WIDTHS)
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const look = `${screen}, ${width} px, ${colorScheme}`
      await until(`${look}: the theme follows the system`, async () => {
        const scheme = await page.evaluate(
          () => getComputedStyle(document.documentElement).colorScheme,
        )
        return scheme.includes(colorScheme)
      })
      // There is no frame to go into, and so no need of a second page to collect from: half the time.
      // Of what is right it need not tell where.
      const axe = new AxeBuilder({ page })
        .options({ runOnly: { type: 'tag', values: RULES }, resultTypes: ['violations'] })
        .setLegacyMode()
      const { violations } = await axe.analyze()
      for (const { id, help, nodes } of violations)
        faults.push(`${look}: ${id} (${help}) at ${nodes.map(({ html }) => html).join(' | ')}`)
      const beyond = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (beyond > 0) faults.push(`${look}: ${beyond} px beyond the edge`)
    }
  return faults
}
