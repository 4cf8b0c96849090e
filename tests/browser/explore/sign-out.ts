// Signing out, and the dialog that asks what becomes of unsent work. It can stay open for later steps.
import type { Page } from 'playwright-core'
import { chooseSignOut } from '../fixtures/app.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import type { Situation } from './action.ts'
import { readDeviceStorage } from './device-storage.ts'
import type { Control, View } from './view.ts'

const TITLE = 'Sign out?'
const KEEP = { name: 'Keep on this device', signsOut: true, discards: false }
const CHOICES = [
  KEEP,
  { name: 'Discard', signsOut: true, discards: true },
  { name: 'Send now', signsOut: false, discards: false },
  { name: 'Stay signed in', signsOut: false, discards: false },
]

/** Chooses sign-out; when something is unsent, also one of the offered ways. */
export async function signOut(situation: Situation): Promise<void> {
  const { choice, device, ledger, page } = situation
  // Without the dialog nothing waits, and nothing may be discarded.
  device.isSignedOut = true
  await chooseSignOut(page)
  const dialog = page.getByRole('alertdialog', { name: TITLE })
  await waitUntil(
    'the dialog, or the sign-in screen',
    async () => (await dialog.isVisible()) || isAtSignIn(page),
  )
  if (!(await dialog.isVisible())) return
  const storage = await readDeviceStorage(page)
  for (const { name, signsOut, discards } of [choice.pick(CHOICES), KEEP]) {
    const button = dialog.getByRole('button', { name, exact: true })
    // What was unsent may have been sent meanwhile.
    if (!(await button.isVisible()) || (await button.getAttribute('aria-disabled')) === 'true')
      continue
    if (discards) ledger.expectDiscards(device.name, storage)
    await button.click()
    device.isSignedOut = signsOut
    if (signsOut) await waitForSignIn(page)
    return
  }
  device.isSignedOut = false
}

/** Whether the control is a button of the open dialog that signs out. */
export const isSignOut = (
  { name, isOnTop }: Pick<Control, 'name' | 'isOnTop'>,
  { dialog }: Pick<View, 'dialog'>,
): boolean =>
  dialog === TITLE && isOnTop && CHOICES.some((one) => one.signsOut && one.name === name)

export const waitForSignIn = (page: Page) => waitUntil('the sign-in screen', () => isAtSignIn(page))

const isAtSignIn = (page: Page) => new URL(page.url()).pathname === '/auth'
