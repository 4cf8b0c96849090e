// What a user does with a device rather than with a screen: tabs, reloads, sign-outs, and kills.
import type { Page } from 'playwright-core'
import { paletteMessages } from '../../../src/app/palette/messages.ts'
import { fillSignIn } from '../fixtures/app.ts'
import type { Action, Situation } from './action.ts'
import { holdsSoon } from './page-watch.ts'
import { keyPress } from './press.ts'
import { signOut } from './sign-out.ts'

const MAX_TABS = 3
const SIGN_IN_TIMEOUT_MS = 20_000
const PATHS = [
  '/',
  '/success-plans',
  '/accounts',
  '/initiatives',
  '/success-plans/new',
  '/organisations',
]

const isSignInScreen = ({ view }: Situation) => view.url.pathname === '/auth'

/** Signs in again, which needs a network. */
export function signingIn(situation: Situation): Action | undefined {
  const { device, page } = situation
  if (!isSignInScreen(situation)) return undefined
  return {
    key: 'sign in, with the network fine',
    weight: 1,
    run: async () => {
      await device.weather.change('fine')
      await fillSignIn(page, device.person)
      await page.waitForURL((url) => url.pathname !== '/auth', { timeout: SIGN_IN_TIMEOUT_MS })
      device.isSignedOut = false
    },
  }
}

/** What can be done on any screen of a signed-in user. */
export function deviceActions(situation: Situation): Action[] {
  const { choice, device, page } = situation
  const { tabs, url } = device
  const path = choice.pick([...PATHS, ...device.records, ...device.records])
  const all = tabs.map((tab) => tab.url())
  return [
    { key: 'reload', weight: 2, run: async () => void (await page.reload()) },
    { key: 'back', weight: 2, run: () => goBack(page) },
    {
      key: `open ${path} by its address`,
      weight: 8,
      run: async () => void (await page.goto(url + path)),
    },
    { key: 'open the palette', weight: 2, run: () => usePalette(situation) },
    { key: 'kill the browser and reopen it', weight: 2, run: () => device.start(all) },
    { key: 'crash the tab and reopen it', weight: 1, run: () => crashTab(situation) },
    {
      key: 'new tab',
      weight: tabs.length < MAX_TABS ? 2 : 0,
      run: async () => void (await device.openTab(url + path)),
    },
    { key: 'close the tab', weight: tabs.length > 1 ? 1 : 0, run: () => device.closeTab(page) },
    { key: 'sign out', weight: 1, run: () => signOut(situation) },
    { ...keyPress(situation), weight: 6 },
  ]
}

/** The first entry of a tab's history is an empty page, which no user has. */
async function goBack(page: Page): Promise<void> {
  // A page that the browser has kept as it was does not load again.
  await page.goBack({ waitUntil: 'commit' })
  if (!page.url().startsWith('http')) await page.goForward({ waitUntil: 'commit' })
}

async function crashTab({ device, page }: Situation): Promise<void> {
  const address = page.url()
  await device.browser.crash(page)
  await device.closeTab(page)
  await device.openTab(address)
}

const QUERIES = ['plan', 'ridge', 'analytics', 'Northwind', 'settings', 'theme', 'w']

/** Opens the palette and searches; in half of the cases the results stay open for the next step. */
async function usePalette({ choice, device, page, view }: Situation): Promise<void> {
  await page.keyboard.press('Control+k')
  // It does not open over a dialog.
  if (view.dialog !== undefined) return
  const dialog = page.locator('dialog[open], [role$=dialog]').filter({ visible: true }).first()
  const isOpened = await holdsSoon(page, () => dialog.isVisible())
  if (!isOpened) return device.violate('the palette opens within 10 s', page.url())
  // A dialog that was still loading closes it.
  const field = page.getByRole('combobox', { name: paletteMessages.field })
  if (!(await field.isVisible())) return
  await field.fill(choice.pick(QUERIES))
  const palette = page.getByRole('dialog')
  await palette.getByRole('option').or(palette.getByText(paletteMessages.nothing)).first().waitFor()
  if (choice.withProbability(0.5)) await page.keyboard.press('Escape')
}
