// Every screen of the slice, in both themes, on a phone and on a desk: no violation that axe can
// find, and nothing that scrolls sideways.
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { card, composer, fillSignIn, openPlan, pickOrganisation, post, SAVED } from './app.ts'
import { setScene, type Scene } from './scene.ts'

/** Each screen is judged by a hundred rules; a busy machine takes minutes. Milliseconds. */
const MANY_SCREENS = 300_000
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What is wrong with the screen as it stands, in words; empty when nothing is. */
async function complaints(page: Page, screen: string): Promise<string[]> {
  // What fades in is judged when it is there.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
        .map((animation) => animation.finished),
    ),
  )
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return [
    ...violations.map(({ id, nodes }) => `${screen}: ${id} at ${nodes[0]?.html.slice(0, 120)}`),
    ...(sideways > 0 ? [`${screen}: scrolls ${sideways} px sideways`] : []),
  ]
}

async function walk(page: Page, scene: Scene): Promise<string[]> {
  const found: string[] = []
  const judge = async (screen: string) => {
    found.push(...(await complaints(page, screen)))
  }

  await page.goto(scene.url)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await judge('sign-in')
  await fillSignIn(page, scene.ada)
  await page.getByRole('list', { name: 'Your organisations' }).waitFor()
  await judge('organisations')
  await pickOrganisation(page)
  await page.locator('[data-plan]').first().waitFor()
  await judge('success plans')
  await page.getByRole('searchbox').fill('no plan is called so')
  await page.getByText('No plan matches').waitFor()
  await judge('success plans, none matching')
  await page.getByRole('link', { name: 'Show all plans' }).click()
  await page.getByRole('button', { name: /^Your menu/ }).click()
  await page.getByRole('menu').waitFor()
  await judge('the menu')
  await page.getByRole('menuitem', { name: 'Sync status' }).click()
  await page.getByRole('dialog').waitFor()
  await judge('the sync panel')
  await page.keyboard.press('Escape')

  await openPlan(page, scene.plan)
  await composer(page).waitFor()
  await judge('a plan')
  await scene.network.goDown()
  await post(page, 'Written without a network.')
  await card(page, 'Written without a network.').getByText(SAVED).waitFor()
  await page.getByRole('button', { name: /^Sync: Offline/ }).waitFor()
  await judge('a plan with a waiting update, offline')
  await scene.network.comeUp()

  await page.goto(`${scene.url}/success-plans/new`)
  await page.getByRole('button', { name: 'Create plan' }).click()
  await page.getByText('Please mend this first').waitFor()
  await judge('a new plan with mistakes')
  await page.goto(`${scene.url}/accounts`)
  await page.locator('[data-account]').first().waitFor()
  await judge('accounts')
  await page.locator('[data-account]').first().click()
  await page.getByRole('heading', { name: 'Contacts' }).waitFor()
  await judge('an account')
  await page.goto(`${scene.url}/no/such/place`)
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await judge('not found')
  return found
}

test.for([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const)(
  'nobody is kept out: $colorScheme at $width px',
  { timeout: MANY_SCREENS },
  async ({ colorScheme, width }) => {
    const scene = await setScene()
    const page = await scene.browser.open()
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    expect(await walk(page, scene)).toEqual([])
  },
)
