// @vitest-environment jsdom
// A server that invites by the address alone dropped the role without a word: who was invited as an admin became a
// member.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { validate } from '../../../contract/errors.ts'
import { Organisation } from '../../../contract/schemas/organisations.ts'
import { InviteForm } from '../../../src/features/members/invite-form.tsx'
import { inviteMessages as messages } from '../../../src/features/members/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(async () => {
  await openOffline()
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
})
afterEach(() => {
  cleanup()
  queryClient.clear()
})

test.each([
  ['with the role at a server that keeps it', 'ids,invites', { role: 'member' }],
  ['by the address alone elsewhere', 'ids', {}],
])('people are invited %s', async (_, capabilities, role) => {
  sync().capabilities.set(capabilities)
  const call = vi.spyOn(sync(), 'call').mockResolvedValue(undefined)
  const read = validate(Organisation, { id: 'north', name: 'North', user_id: 'ann' })
  if (!read.ok) throw new Error('no organisation')
  render(
    <MemoryRouter>
      <QueryProvider>
        <InviteForm organisation={read.value} members={1} />
      </QueryProvider>
    </MemoryRouter>,
  )
  const { fields, send } = messages
  await userEvent.type(await screen.findByLabelText(fields.email), 'mia@example.com')
  expect(screen.queryByLabelText(fields.role) !== null).toBe('role' in role)
  await userEvent.click(screen.getByRole('button', { name: send }))
  const body = { email: 'mia@example.com', ...role }
  await waitFor(() => expect(call).toHaveBeenCalledWith(expect.anything(), { body }))
  // Its draft has ended: the next form would restore it.
  await waitFor(() => expect(screen.getByLabelText(fields.email)).toHaveProperty('value', ''))
  call.mockRestore()
})
