// @vitest-environment jsdom
// A search that the server did not answer said "No results", and so did one that was not sent yet. One that
// found nothing on a server of another kind was said to have failed, and offline the server was said to be searched.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, test, vi } from 'vitest'
import { paletteMessages as messages } from '../../../src/app/palette/messages.ts'
import { RecordSections } from '../../../src/app/palette/record-sections.tsx'
import { CallError, sync } from '../../../src/sync/client.ts'
import type { ConnectionState } from '../../../src/sync/core/observable.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const sections = (typed: string) => (
  <MemoryRouter>
    <QueryProvider>
      <RecordSections
        typed={typed}
        withResults={typed !== ''}
        commands={[]}
        go={() => vi.fn()}
        after={() => vi.fn()}
        onAsk={vi.fn()}
        hasKeys={false}
      >
        {(_, state) => <p>{state}</p>}
      </RecordSections>
    </QueryProvider>
  </MemoryRouter>
)

function search(text: string, connection: ConnectionState = 'online') {
  vi.spyOn(sync().connection, 'get').mockReturnValue(connection)
  const { rerender } = render(sections(''))
  rerender(sections(text))
}

test('where the server refuses, the palette says that it could not be searched', async () => {
  vi.spyOn(sync(), 'call').mockRejectedValue(new CallError('refused'))
  search('Zanzibar')
  screen.getByText(messages.asking)
  await screen.findByText(messages.notSearched)
})

test.each([
  ['online', 'Samarkand'],
  ['not-understood', 'Bukhara'],
] as const)(
  'where the server finds nothing, %s, there are no results',
  async (connection, text) => {
    vi.spyOn(sync(), 'call').mockResolvedValue({ data: [], meta: {} })
    search(text, connection)
    await screen.findByText(messages.nothing)
  },
)

test('offline, the palette does not say that it searches the server', () => {
  search('Khiva', 'offline')
  screen.getByText(messages.nothingHere)
})
