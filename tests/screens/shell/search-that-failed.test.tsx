// @vitest-environment jsdom
// A search that the server did not answer said "No results", and so did one that was not sent yet.
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, test, vi } from 'vitest'
import { paletteMessages as messages } from '../../../src/app/palette/messages.ts'
import { RecordSections } from '../../../src/app/palette/record-sections.tsx'
import { CallError, sync } from '../../../src/sync/client.ts'
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

function search(text: string) {
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
  const { rerender } = render(sections(''))
  rerender(sections(text))
}

test('where the server refuses, the palette says that it could not be searched', async () => {
  vi.spyOn(sync(), 'call').mockRejectedValue(new CallError('refused'))
  search('Zanzibar')
  screen.getByText(messages.asking)
  await screen.findByText(messages.notSearched)
})

test('where the server finds nothing, there are no results', async () => {
  vi.spyOn(sync(), 'call').mockResolvedValue({ data: [], meta: {} })
  search('Samarkand')
  await screen.findByText(messages.nothing)
})
