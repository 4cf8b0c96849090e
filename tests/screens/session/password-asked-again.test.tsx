// @vitest-environment jsdom
// Where a change needs a fresh sign-in the field for the password appeared without the focus, and nothing said so.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '../../../contract/schemas/people.ts'
import { REAUTHENTICATION_REQUIRED } from '../../../contract/values.ts'
import { ConfirmForm } from '../../../src/features/profile/security/confirm-form.tsx'
import { EmailAddress } from '../../../src/features/profile/security/email-address.tsx'
import { securityMessages as messages } from '../../../src/features/profile/security/security-messages.ts'
import { CallError, createSync, sync } from '../../../src/sync/client.ts'

const USER = { id: 'ann', email: 'ann@north.test', email_verified: true, pending_email: null }
const needsPassword = () =>
  Promise.reject(Object.assign(new CallError('refused'), { code: REAUTHENTICATION_REQUIRED }))

beforeAll(() => createSync(() => Promise.reject(new Error('No engine.'))))
beforeEach(() => act(() => sync().connection.set('online')))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const show = (setting: ReactNode) => render(<MemoryRouter>{setting}</MemoryRouter>)
const press = async (name: string) => userEvent.click(screen.getByRole('button', { name }))
const passwordField = () => screen.findByLabelText(messages.currentPassword)

test('the password that a confirmation needs has the focus', async () => {
  show(
    <ConfirmForm action="Remove" work={needsPassword} onDone={() => {}} onCancel={() => {}}>
      {null}
    </ConfirmForm>,
  )
  await press('Remove')
  expect(document.activeElement).toBe(await passwordField())
})

test('the password that another address needs has the focus', async () => {
  vi.spyOn(sync(), 'call').mockImplementation(needsPassword)
  show(<EmailAddress user={USER as User} />)
  await press(messages.changeEmail)
  const address = screen.getByLabelText(messages.newEmail)
  expect(document.activeElement).toBe(address)
  await userEvent.type(address, 'ann@south.test')
  await press(messages.sendLink)
  expect(document.activeElement).toBe(await passwordField())
})
