// @vitest-environment jsdom
// The button that deletes the account for good was green, as the one that adds a passkey.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '../../../contract/schemas/people.ts'
import { LinkedSignIns } from '../../../src/features/profile/security/linked-sign-ins.tsx'
import { OwnAccount } from '../../../src/features/profile/security/own-account.tsx'
import { Passkeys } from '../../../src/features/profile/security/passkeys.tsx'
import { passkeyMessages } from '../../../src/features/profile/security/passkey-messages.ts'
import { securityMessages as messages } from '../../../src/features/profile/security/security-messages.ts'
import { SignIns } from '../../../src/features/profile/security/sign-ins.tsx'
import { createSync, sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { buttonClass } from '../../../src/ui/button.tsx'

beforeAll(() => createSync(() => Promise.reject(new Error('No engine.'))))
beforeEach(() => act(() => sync().connection.set('online')))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const AT = '2026-03-01T10:00:00.000Z'
const PASSKEY = { id: 'key', name: 'Laptop', created_at: AT, last_used_at: null }
const LINKED = { id: 'one', provider: 'google', email: 'ann@north.test', created_at: AT }
const PHONE = {
  id: 'phone',
  browser: 'Firefox',
  device: 'Android',
  network: null,
  is_current: false,
  created_at: AT,
  last_used_at: AT,
  lost_at: null,
  cleared_at: null,
  unsent: null,
}
const phone = messages.onDevice('Firefox', 'Android')
const google = messages.providers['google'] ?? ''

test.each<[string, ReactNode, unknown, string, string, 'danger' | 'primary']>([
  [
    'deleting the account',
    <OwnAccount key="own" />,
    undefined,
    messages.deleteAccount,
    messages.deleteAccountNow,
    'danger',
  ],
  [
    'removing a passkey',
    <Passkeys key="passkeys" user={{ id: 'ann' } as User} />,
    PASSKEY,
    passkeyMessages.removeOn('Laptop'),
    passkeyMessages.removeOn('Laptop'),
    'danger',
  ],
  [
    'adding a passkey',
    <Passkeys key="passkeys" user={{ id: 'ann' } as User} />,
    PASSKEY,
    passkeyMessages.add,
    passkeyMessages.add,
    'primary',
  ],
  [
    'removing another way to sign in',
    <LinkedSignIns key="linked" user_id="ann" />,
    LINKED,
    messages.removeLinked(google),
    messages.removeLinked(google),
    'danger',
  ],
  [
    'reporting a device as lost',
    <SignIns key="sign-ins" user_id="ann" />,
    PHONE,
    messages.lostOf(phone),
    messages.reportLost,
    'danger',
  ],
])(
  '%s is confirmed by a button that looks like it',
  async (_, setting, one, open, action, look) => {
    vi.spyOn(sync(), 'call').mockResolvedValue({ data: [one] })
    render(
      <MemoryRouter>
        <QueryProvider>{setting}</QueryProvider>
      </MemoryRouter>,
    )
    await userEvent.click(await screen.findByRole('button', { name: open }))
    const button = await screen.findByRole('button', { name: action })
    expect(button.className.trim()).toBe(buttonClass(look))
  },
)
