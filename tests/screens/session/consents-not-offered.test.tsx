// @vitest-environment jsdom
// At a server that has no notification settings any more the copy of them showed switches that cannot be saved, and a
// change that it refused was said to be of a deleted record.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { loadIdentity } from '../../../src/app/boot/load-identity.ts'
import { consentsQuery } from '../../../src/data/profile.ts'
import { notificationMessages as messages } from '../../../src/features/profile/messages.ts'
import { Component as Notifications } from '../../../src/features/profile/notifications-screen.tsx'
import { CallError, sync } from '../../../src/sync/client.ts'
import { keepAnswer } from '../../../src/sync/react/keep-answer.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { rejectionReason } from '../../../src/widgets/operations/rejection-reasons.ts'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(async () => {
  await openOffline()
  await loadIdentity()
})
afterEach(() => {
  cleanup()
  queryClient.clear()
})

/** The settings, of which a copy is here, at a server that answers with that status. */
async function show(status: number) {
  await keepAnswer(consentsQuery().queryKey, { email: {}, push: {}, digest: 'off' })
  vi.spyOn(sync(), 'callByName').mockRejectedValue(
    new CallError('refused', { status, message: '' }),
  )
  render(
    <MemoryRouter>
      <QueryProvider>
        <Notifications />
      </QueryProvider>
    </MemoryRouter>,
  )
  await screen.findByLabelText(messages.kinds.plan_update.label)
  await queryClient.refetchQueries({ queryKey: consentsQuery().queryKey })
}

test.each([404, 405, 501])('after an answer %i no settings are shown', async (status) => {
  await show(status)
  await screen.findByText(messages.absentTitle)
  expect(screen.queryByRole('switch')).toBe(null)
})

test.each([403, 500])(
  'after an answer %i the stored settings stay on the screen',
  async (status) => {
    await show(status)
    expect(screen.getAllByRole('switch').length).toBeGreaterThan(0)
    expect(screen.queryByText(messages.absentTitle)).toBe(null)
  },
)

test.each([404, 405])(
  'after a change was answered with %i, the reason is that the server does not offer it',
  (status) => {
    const { text } = rejectionReason(
      { endpoint: 'updateNotificationConsents', last_error: { status, message: '' } },
      { organisation: 'North', managers: [], is_owner: false },
    )
    expect(text).toMatch(/^The server does not offer this/)
  },
)
