// @vitest-environment jsdom
// Passkeys and linked sign-ins that could not be read looked as if there were none.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { User } from '../../../contract/schemas/people.ts'
import { LinkedSignIns } from '../../../src/features/profile/security/linked-sign-ins.tsx'
import { passkeyMessages } from '../../../src/features/profile/security/passkey-messages.ts'
import { Passkeys } from '../../../src/features/profile/security/passkeys.tsx'
import { securityMessages } from '../../../src/features/profile/security/security-messages.ts'
import { SignIns } from '../../../src/features/profile/security/sign-ins.tsx'
import { CallError, createSync, sync } from '../../../src/sync/client.ts'

const AT = '2026-03-02T09:00:00.000Z'
const PASSKEY = { id: '1', name: 'Safari on iPhone', created_at: AT, last_used_at: null }
const LINKED = { id: '2', provider: 'google', email: 'ann@north.test', created_at: AT }
const SIGN_IN = {
  id: '3',
  browser: 'Safari',
  device: null,
  network: null,
  is_current: true,
  created_at: AT,
  last_used_at: AT,
  lost_at: null,
}

beforeAll(() => createSync(() => Promise.reject(new Error('No engine.'))))
beforeEach(() => act(() => sync().connection.set('online')))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const show = (list: ReactNode) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(<QueryClientProvider client={client}>{list}</QueryClientProvider>)
}

const LISTS = [
  {
    what: 'passkeys',
    list: <Passkeys user={{ id: 'ann', email: 'ann@north.test' } as User} />,
    entry: PASSKEY,
    name: passkeyMessages.on(PASSKEY.name),
  },
  {
    what: 'linked sign-ins',
    list: <LinkedSignIns user_id="ann" />,
    entry: LINKED,
    name: securityMessages.linked('Google'),
  },
  {
    what: 'sign-ins',
    list: <SignIns user_id="ann" />,
    entry: SIGN_IN,
    name: 'Safari',
  },
]

test.each(LISTS)('$what that cannot be read can be read again', async (one) => {
  vi.spyOn(sync(), 'call').mockRejectedValueOnce(new CallError('unreachable'))
  show(one.list)
  expect(await screen.findByText(securityMessages.failed)).toBeTruthy()
  vi.spyOn(sync(), 'call').mockResolvedValue({ data: [one.entry] })
  await userEvent.click(screen.getByRole('button', { name: securityMessages.retry }))
  expect(await screen.findByText(one.name)).toBeTruthy()
  expect(screen.queryByText(securityMessages.failed)).toBe(null)
})

test.each(LISTS)('without a network $what say that they need one', (one) => {
  act(() => sync().connection.set('offline'))
  show(one.list)
  // Apart from what a button says that cannot be pressed.
  const selector = ':not([role=tooltip])'
  expect(screen.getByText(securityMessages.offline, { selector })).toBeTruthy()
})
