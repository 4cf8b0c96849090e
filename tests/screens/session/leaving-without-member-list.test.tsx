// @vitest-environment jsdom
// A member whom the server does not let read the members could not leave the organisation, and where the server gives
// no count, each organisation had “1 member”.
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { validate } from '../../../contract/errors.ts'
import { Organisation } from '../../../contract/schemas/organisations.ts'
import * as current from '../../../src/data/current-session.ts'
import { Component as MembersScreen } from '../../../src/features/members/members-screen.tsx'
import {
  inviteMessages,
  memberMessages as messages,
} from '../../../src/features/members/messages.ts'
import { Component as PickerScreen } from '../../../src/features/organisations/picker-screen.tsx'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

vi.mock(import('../../../src/data/current-session.ts'), () => ({ useCurrentSession: vi.fn() }))
beforeAll(openOffline)
afterEach(() => {
  cleanup()
  queryClient.clear()
})

const open = (screenOf: React.ReactNode, fields: object = {}) => {
  const read = validate(Organisation, { id: 'north', name: 'North', user_id: 'bob', ...fields })
  if (!read.ok) throw new Error('no organisation')
  vi.mocked(current.useCurrentSession).mockReturnValue({
    user: { id: 'ann', name: 'Ann', superadmin: false },
    organisation: read.value,
  } as ReturnType<typeof current.useCurrentSession>)
  render(
    <MemoryRouter>
      <QueryProvider>{screenOf}</QueryProvider>
    </MemoryRouter>,
  )
}
const refuseMembers = async () => {
  const queryKey = queryKeyOf(activeScope(), 'collection', 'organisation_users')
  await act(async () => {
    await queryClient.prefetchQuery({
      queryKey,
      queryFn: () => Promise.reject(new Error('403')),
      retry: false,
    })
  })
}

test('a member can leave where the members cannot be read', async () => {
  await refuseMembers()
  open(<MembersScreen />)
  await screen.findByRole('heading', { name: messages.leave })
  expect(screen.getByRole('button', { name: messages.leaveAction })).toBeTruthy()
  expect(screen.queryByRole('heading', { name: inviteMessages.title })).toBe(null)
})

test('an admin can invite people there', async () => {
  await refuseMembers()
  open(<MembersScreen />, { pivot: { role: 'admin' } })
  await screen.findByRole('heading', { name: inviteMessages.title })
})

test('an organisation has the number of members that the server gives, or none', async () => {
  open(<PickerScreen />)
  const entry = await screen.findByRole('button', { name: /^North/ })
  expect(entry.textContent).not.toContain('1 member')
  cleanup()
  open(<PickerScreen />, { members_count: 3 })
  await waitFor(() => expect(screen.getByText(/3 members/)).toBeTruthy())
})
