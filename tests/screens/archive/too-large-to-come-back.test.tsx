// @vitest-environment jsdom
// An organisation is exported without a word, and its archive turns out to be too large when it is needed.
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { MemoryRouter } from 'react-router'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { ArchiveSection } from '../../../src/features/archive/archive-section.tsx'
import { isWithinLimits, LIMITS } from '../../../src/features/archive/limits.ts'
import { archiveMessages as messages } from '../../../src/features/archive/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  // jsdom does not say so of localhost.
  Object.defineProperty(window, 'isSecureContext', { value: true })
  await openOffline()
})
afterEach(() => {
  cleanup()
  queryClient.clear()
})

const accounts = (count: number) =>
  Array.from({ length: count }, (_, at) => accountWith({ id: `${at}` }))

test.each([
  [0, 0],
  [1, 1],
])(
  'with %i records more than an import takes, the export says so %i times',
  async (more, times) => {
    act(() => sync().capabilities.set(''))
    const read = (collection: string, records: readonly unknown[]) =>
      queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', collection), records)
    for (const name of ['success_plans', 'initiatives', 'actions', 'organisation_users'])
      read(name, [])
    read('accounts', accounts(LIMITS.lines + more))
    render(
      <QueryProvider>
        <MemoryRouter>
          <ArchiveSection organisation={{ id: 'north', name: 'North' } as Organisation} />
        </MemoryRouter>
      </QueryProvider>,
    )
    const button = screen.getByRole('button', { name: messages.export })
    await waitFor(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'))
    expect(screen.queryAllByText(messages.notImportable(LIMITS), { exact: false })).toHaveLength(
      times,
    )
  },
)

test.each([
  [{ lines: LIMITS.lines }, true],
  [{ lines: LIMITS.lines + 1 }, false],
  [{ archiveBytes: LIMITS.archiveBytes + 1 }, false],
  [{ unpackedBytes: LIMITS.unpackedBytes + 1 }, false],
])('an archive of %j can be imported: %s', (size, isImportable) => {
  expect(isWithinLimits(size)).toBe(isImportable)
})
