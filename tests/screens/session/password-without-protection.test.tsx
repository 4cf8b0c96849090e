// @vitest-environment jsdom
// On a page without HTTPS only the sign-in warned that a password can be read; every other field for one did not.
// Where mail goes to a folder, a link was said to be on its way.
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { CallError } from '../../../src/sync/client.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { REAUTHENTICATION_REQUIRED } from '../../../contract/values.ts'
import { ConfirmForm } from '../../../src/features/profile/security/confirm-form.tsx'
import { Password } from '../../../src/features/profile/security/password.tsx'
import { securityMessages } from '../../../src/features/profile/security/security-messages.ts'
import { cachedConfig } from '../../../src/features/session/cached-config.ts'
import { mailNoticeMessages } from '../../../src/features/session/mail-notice-messages.ts'
import { NewPassword } from '../../../src/features/session/new-password.tsx'
import { plainHttpMessages } from '../../../src/features/session/plain-http-messages.ts'
import { RegistrationForm } from '../../../src/features/session/registration/registration-form.tsx'
import { createSync, sync } from '../../../src/sync/client.ts'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'

const USER = { id: 'ann', name: 'Ann', email: 'ann@north.test' } as User

// An engine would find that there is no server, and set the client offline at any time.
beforeAll(() => createSync(() => Promise.reject(new Error('No engine.'))))
beforeEach(() => {
  Object.defineProperty(window, 'isSecureContext', { value: false, configurable: true })
  act(() => sync().connection.set('online'))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  act(() => cachedConfig.set({}))
})

const show = (screens: ReactNode) => render(<MemoryRouter>{screens}</MemoryRouter>)
const warnings = () => screen.queryAllByText(plainHttpMessages.password)
const click = async (name: string) => userEvent.click(screen.getByRole('button', { name }))
const openForm = async () => click(securityMessages.changePassword)

test('the registration and a new password warn', async () => {
  vi.spyOn(sync(), 'call').mockResolvedValue({ type: 'password', email: USER.email })
  show(<RegistrationForm />)
  expect(await screen.findAllByText(plainHttpMessages.password)).toHaveLength(1)
  cleanup()
  show(<NewPassword token="t" />)
  expect(await screen.findAllByText(plainHttpMessages.password)).toHaveLength(1)
})

test('the change of a password warns once its form is open', async () => {
  show(<Password user={USER} onChanged={() => {}} />)
  expect(warnings()).toHaveLength(0)
  await openForm()
  expect(await screen.findAllByText(plainHttpMessages.password)).toHaveLength(1)
})

test('a change that needs the password warns when it asks for it', async () => {
  const problem = new CallError('refused')
  Object.assign(problem, { code: REAUTHENTICATION_REQUIRED })
  show(
    <ConfirmForm
      action="Remove"
      work={() => Promise.reject(problem)}
      onDone={() => {}}
      onCancel={() => {}}
    >
      {null}
    </ConfirmForm>,
  )
  expect(warnings()).toHaveLength(0)
  await click('Remove')
  expect(await screen.findAllByText(plainHttpMessages.password)).toHaveLength(1)
})

test('over HTTPS nothing warns', async () => {
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true })
  show(<Password user={USER} onChanged={() => {}} />)
  await openForm()
  expect(warnings()).toHaveLength(0)
})

test.each([
  ['folder', mailNoticeMessages.written],
  ['smtp', securityMessages.forgottenSent(USER.email)],
])('where mail goes by %s a forgotten password says “%s”', async (mail, words) => {
  act(() => cachedConfig.set({ mail } as never))
  vi.spyOn(sync(), 'call').mockResolvedValue(undefined)
  show(
    <>
      <Password user={USER} onChanged={() => {}} />
      <Toaster />
    </>,
  )
  await openForm()
  await click(securityMessages.forgotten)
  await screen.findByText(words)
  // Where to find it stands in the form, and is not repeated.
  const hints = screen.queryAllByText(mailNoticeMessages.folder)
  expect(hints).toHaveLength(mail === 'folder' ? 1 : 0)
  expect(screen.queryAllByText(/on its way/)).toHaveLength(mail === 'folder' ? 0 : 1)
})
