// @vitest-environment jsdom
// The answer to a refresh or an earlier save replaced the form that one typed in: the focus was lost, and the letters
// that followed were shortcuts.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Component as General } from '../../../src/features/organisations/general-screen.tsx'
import { Component as Profile } from '../../../src/features/profile/profile-screen.tsx'
import { profileMessages } from '../../../src/features/profile/messages.ts'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'

const USER = {
  id: 'ann',
  name: 'Ann',
  email: 'ann@example.com',
  job_title: null,
  phone: null,
  timezone: 'Europe/Berlin',
  updated_at: '2026-03-01T09:00:00.000Z',
}
const ORGANISATION = {
  id: 'north',
  user_id: 'ann',
  name: 'North',
  website: null,
  timezone: 'Europe/Berlin',
  currency: 'EUR',
  pivot: { role: 'owner' },
  updated_at: '2026-03-01T09:00:00.000Z',
}

const SCREENS: Record<string, { show: () => ReactNode; field: string }> = {
  profile: { show: () => <Profile />, field: 'Name' },
  general: { show: () => <General />, field: 'Name' },
}

/** What the server answers to a refresh, or to an earlier save. */
const answer = async (name: string, minute: number) =>
  act(async () => {
    const changed = { name, updated_at: `2026-03-01T09:${minute}:00.000Z` }
    await sync().update('ann', {
      user: { ...USER, ...changed },
      active_organisation: { ...ORGANISATION, ...changed },
    })
  })

beforeAll(async () => {
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => undefined, disconnect: () => undefined }
  })
  await openOffline()
})
beforeEach(() => answer('First', 10))
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const show = async (screenOf: () => ReactNode, label: string) => {
  render(
    <QueryProvider>
      <MemoryRouter>{screenOf()}</MemoryRouter>
      <Toaster />
    </QueryProvider>,
  )
  return await screen.findByRole<HTMLInputElement>(
    'textbox',
    { name: new RegExp(`^${label}`) },
    { timeout: 30_000 },
  )
}

test.each(Object.entries(SCREENS))(
  'the form of the %s shows newer values as long as it is not used',
  async (_, { show: screenOf, field }) => {
    await show(screenOf, field)
    await answer('Second', 11)
    expect(await screen.findByDisplayValue('Second')).toBeTruthy()
  },
)

test('after a save the profile shows what was saved, and its answer leaves what is typed next', async () => {
  const title = await show(() => <Profile />, profileMessages.fields.job_title)
  await userEvent.type(title, 'Captain')
  await userEvent.click(screen.getByRole('button', { name: profileMessages.save }))
  expect(await screen.findByText(profileMessages.saved)).toBeTruthy()
  expect(await screen.findByDisplayValue('Captain')).not.toBe(title)
  const phone = screen.getByRole<HTMLInputElement>('textbox', { name: /^Phone/ })
  await userEvent.type(phone, '0123')
  await answer('First', 12)
  expect(document.activeElement).toBe(phone)
  await userEvent.keyboard('4')
  expect(phone.value).toBe('01234')
})

test.each(Object.entries(SCREENS))(
  'an answer leaves the form of the %s with its focus while one types',
  async (_, { show: screenOf, field }) => {
    const name = await show(screenOf, field)
    await userEvent.type(name, ' typed')
    await answer('Second', 11)
    expect(document.activeElement).toBe(name)
    await userEvent.keyboard(' on')
    expect(name.value).toBe('First typed on')
  },
)
