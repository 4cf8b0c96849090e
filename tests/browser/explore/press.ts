// Presses a control, by pointer or by keyboard, as long as the step is not to leave the exploration:
// nothing is deleted on the server, and no setting of user or organisation is changed.
import type { Page } from 'playwright-core'
import type { Action, Situation } from './action.ts'
import { readDeviceStorage } from './device-storage.ts'
import { holdsSoon } from './page-watch.ts'
import { isSignOut, waitForSignIn } from './sign-out.ts'
import { locate, type Control } from './view.ts'

const FORBIDDEN =
  /^(Delete|Remove|Leave|Sign out|Sign in|Forgot|Create|New organisation|Invite|Send (an )?invit|Install|Export|Import|Print|Update$|Reload|Upgrade|Share|Add (picture|contact)|Clear|Download|Choose file|This device|Copy)|opens in a new tab|is lost$|print sheet|review|as (a )?template/i
/** Without a way back into the exploration, or with forms that need a network. */
const FORBIDDEN_PATHS = /^\/(auth|onboarding)|^\/settings\/organisation\/(billing|plans)|[?&]review/
/** Presses after which an operation may leave the outbox unsent; `Undo` takes back what waits its eight seconds. */
const DISCARDS = /^(Discard|Save my choice|Discard my change|Post the note|Undo)$/
const SETTINGS = /^\/settings/
const PRESSED_ROLES = /^(button|link|checkbox|radio|tab|menuitem|menuitemradio|option)$/
/** Submit buttons are pressed by the actions that fill the form. */
const SUBMITS =
  /^(Post update|Save changes|Create plan|Add account|Add initiative|Add|Save|Save and send again)$/
const INTERESTING: readonly (readonly [RegExp, number])[] = [
  [/^(radio “(Use mine|Keep theirs)|button “Save my choice)/, 12],
  [/^button “(Undo|Discard|Send again|Send as new|Send now)”/, 6],
  [
    /^(button|menuitem|link) “(Edit|New (plan|account|initiative)|Change status|Pause|Complete|Resume|Start work|Reopen)/,
    6,
  ],
  [/^(button “More for|button “Sync:|menuitem “Sync status)/, 4],
  [/^checkbox “Done:/, 6],
  [/^link “(Initiatives|Updates|Work|About)/, 2],
  [/^button “(Cancel|Close|Not now|Stay signed in)”/, 2],
]

const isLeavingApp = ({ url }: Control) =>
  url !== undefined && (!url.startsWith('/') || FORBIDDEN_PATHS.test(url))

/** Whether a press keeps the exploration going. */
function isSensible(control: Control, { view }: Situation): boolean {
  const { role, name } = control
  if (!PRESSED_ROLES.test(role) || FORBIDDEN.test(name) || isLeavingApp(control)) return false
  if (role === 'button' && SUBMITS.test(name)) return false
  // In the settings only what leads elsewhere.
  return !SETTINGS.test(view.url.pathname) || role === 'link' || role === 'menuitem'
}

const weightOf = (control: Control): number => {
  const isPlanRow =
    control.role === 'link' && /^\/(success-plans|accounts)\/[0-9a-f]/.test(control.url ?? '')
  if (isPlanRow) return 3
  return INTERESTING.find(([pattern]) => pattern.test(control.key))?.[1] ?? 0.6
}

/** Every control that can be pressed now, as an action. */
export const presses = (situation: Situation): Action[] =>
  situation.view.controls
    .filter((control) => isSensible(control, situation))
    .map((control) => ({
      key: `press ${control.key}`,
      weight: weightOf(control),
      run: () => press(control, situation),
    }))

/** Presses it; every fourth time with a key. */
async function press(control: Control, situation: Situation): Promise<void> {
  const { device, ledger, page, view } = situation
  if (DISCARDS.test(control.name)) ledger.expectDiscards(device.name, await readDeviceStorage(page))
  await activate(control, situation)
  if (!isSignOut(control, view)) return
  device.isSignedOut = true
  await waitForSignIn(page)
}

async function activate(control: Control, situation: Situation): Promise<void> {
  const { page, choice } = situation
  const element = locate(page, control)
  if (!choice.withProbability(0.25)) return await element.click()
  await element.focus()
  await page.keyboard.press(/^(checkbox|radio)$/.test(control.role) ? 'Space' : 'Enter')
  await expectFocus(situation, control)
}

const KEYS = ['Escape', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'Shift+Tab']

/** Focuses any control and presses a key that does not activate it. */
export function keyPress(situation: Situation): Action {
  const { choice, page, view } = situation
  const focusable = view.controls.filter(({ role }) => role !== 'option')
  const key = choice.pick(KEYS)
  return {
    key: `key ${key}`,
    weight: focusable.length > 0 ? 1 : 0,
    run: async () => {
      const control = choice.among(focusable.map((one) => ({ ...one, weight: 1 })))
      if (!control) return
      await locate(page, control).focus()
      // From the first one the browser moves the focus out of the page.
      const leaves = key === 'Shift+Tab' && (await page.evaluate(isFirstTabStop))
      await page.keyboard.press(key)
      if (!leaves) await expectFocus(situation, control)
    },
  }
}

/** In the page: whether the focus is on the first control that the Tab key reaches. */
function isFirstTabStop(): boolean {
  const within = document.querySelector('dialog:modal') ?? document
  const stops = within.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, [tabindex]',
  )
  const isStop = (one: HTMLElement) =>
    one.tabIndex >= 0 && one.checkVisibility() && !one.matches(':disabled, [inert] *')
  return [...stops].find(isStop) === document.activeElement
}

const focusedTag = (page: Page) =>
  page.evaluate(() => document.activeElement?.tagName ?? 'nothing').catch(() => 'a new document')

/** After a key press on a control: the focus may move anywhere but to the body. */
async function expectFocus({ device, page }: Situation, control: Control): Promise<void> {
  const isFocused = async () => !['BODY', 'nothing'].includes(await focusedTag(page))
  if (!(await holdsSoon(page, isFocused)))
    device.violate('focus is never on body after a key press on a control', control.key)
}
