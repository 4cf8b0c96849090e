// @vitest-environment jsdom
// At a server without a list of invitations the onboarding says for good that they could not be loaded.
import { act, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { User } from '../../../contract/schemas/people.ts'
import { invitesQuery } from '../../../src/data/members.ts'
import { InviteStep } from '../../../src/features/onboarding/about-steps.tsx'
import { inviteMessages as messages } from '../../../src/features/members/messages.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { waitFor } from '../../wait-for.ts'
import { openPlainPage } from '../fixtures/plain-page.ts'

test('a failure of the invitations is shown only at a server that has a list of them', async () => {
  const { client, engine } = await openPlainPage()
  const { user, active_organisation } = engine.session.current().session ?? {}
  const organisation = active_organisation && { ...active_organisation, pivot: { role: 'admin' } }
  await engine.session.update(user?.id ?? '', { active_organisation: organisation ?? null })
  render(
    <MemoryRouter>
      <QueryProvider>
        <InviteStep user={user as unknown as User} onDone={() => undefined} />
      </QueryProvider>
    </MemoryRouter>,
  )
  await screen.findByLabelText(messages.fields.email)
  const { queryKey } = invitesQuery()
  await waitFor(() => expect(queryClient.getQueryState(queryKey)?.status).toBe('error'))
  await act(async () => undefined)
  expect(screen.queryByText(messages.failed)).toBe(null)
  client.capabilities.set('invites')
  await screen.findByText(messages.failed)
})
