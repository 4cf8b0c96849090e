// @vitest-environment jsdom
// The sync panel said “Everything is synced” right above “Not everything could be read”.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { panelMessages as messages } from '../../../src/app/sync-centre/panel-messages.ts'
import { SyncPanel } from '../../../src/app/sync-centre/sync-panel.tsx'
import { unreadMessages } from '../../../src/app/sync-centre/unread-messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test.each([
  ['all was read', {}, messages.nothing],
  ['a list was refused', { actions: 403 }, unreadMessages.title],
])('where %s the panel says so', async (_, refused, words) => {
  vi.spyOn(sync().readReport, 'get').mockReturnValue({ unread: [], refused, notKept: {} })
  render(
    <QueryProvider>
      <MemoryRouter>
        <SyncPanel onClose={() => {}} />
      </MemoryRouter>
    </QueryProvider>,
  )
  await screen.findByText(words)
  const claims = [messages.nothing, unreadMessages.title]
  expect(claims.filter((claim) => screen.queryByText(claim))).toEqual([words])
})
