// @vitest-environment jsdom
// A new password that was typed behind a mailed link while signed in was stored in clear text, as a draft.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { NewPassword } from '../../../src/features/session/new-password.tsx'
import { accountMessages } from '../../../src/features/session/registration/account-messages.ts'
import { RegistrationForm } from '../../../src/features/session/registration/registration-form.tsx'
import { UNLOADED_DRAFTS_KEY } from '../../../src/sync/browser/session-storage.ts'
import { sync } from '../../../src/sync/client.ts'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const PASSWORD_FORMS = {
  'a new password': [<NewPassword key="new" token="t" />, accountMessages.newPassword],
  'a registration': [<RegistrationForm key="registration" />, accountMessages.fields.password],
} as const

test.for(Object.entries(PASSWORD_FORMS))(
  '%s is not stored as a draft while a user is signed in',
  async ([, [form, label]]) => {
    vi.spyOn(sync(), 'call').mockResolvedValue({ type: 'password', email: 'ann@north.test' })
    render(<MemoryRouter>{form}</MemoryRouter>)
    await userEvent.type(await screen.findByLabelText(label), 'correct horse')
    window.dispatchEvent(new Event('pagehide'))
    expect(localStorage.getItem(UNLOADED_DRAFTS_KEY)).toBe(null)
  },
)
