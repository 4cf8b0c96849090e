// @vitest-environment jsdom
// A print sheet or an archive that could not be made as a file was not, without a word.
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { ArchiveSection } from '../../../src/features/archive/archive-section.tsx'
import { archiveMessages } from '../../../src/features/archive/messages.ts'
import { PrintSheet } from '../../../src/features/success-plans/detail/print-sheet.tsx'
import { printMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { listMenuMessages } from '../../../src/widgets/table/menu-messages.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  // jsdom does not say so of localhost.
  Object.defineProperty(window, 'isSecureContext', { value: true })
  await openOffline()
  act(() => sync().capabilities.set(''))
  for (const name of ['accounts', 'success_plans', 'initiatives', 'actions', 'organisation_users'])
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), [])
})
afterEach(cleanup)

const ORGANISATION = { id: 'north', name: 'North', currency: 'EUR', timezone: 'UTC' }

test.each([
  ['the print sheet', printMessages.saveFile, <PrintSheet key="" plan={planWith()} />],
  [
    'the archive',
    archiveMessages.export,
    <ArchiveSection key="" organisation={ORGANISATION as Organisation} />,
  ],
])('%s says that its file could not be made', async (_, name, page) => {
  render(
    <QueryProvider>
      <MemoryRouter>{page}</MemoryRouter>
      <Toaster />
    </QueryProvider>,
  )
  const button = screen.getByRole('button', { name })
  await waitFor(() => expect(button.getAttribute('aria-disabled')).not.toBe('true'))
  const address = vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    throw new RangeError('no memory')
  })
  await userEvent.click(button)
  expect(await screen.findByText(listMenuMessages.exportFailed)).toBeTruthy()
  address.mockRestore()
})
