// @vitest-environment jsdom
// An import took a list that the server refuses for an empty one, and said that no member has the name of an owner.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ImportAccounts } from '../../../src/features/import/import-accounts.tsx'
import { importMessages as messages } from '../../../src/features/import/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(async () => {
  await openOffline()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  queryClient.clear()
})

const keyOf = (collection: string) => queryKeyOf(activeScope(), 'collection', collection)

/** Chooses a file with an owner after all lists were read, with that of the members refused or not. */
async function chooseFile(refused: Record<string, number>) {
  // The engine publishes its own state when its start goes on.
  vi.spyOn(sync().lastSyncedAt, 'get').mockReturnValue(1)
  const report = { ...sync().readReport.get(), refused }
  vi.spyOn(sync().readReport, 'get').mockReturnValue(report)
  render(
    <MemoryRouter>
      <QueryProvider>
        <ImportAccounts />
      </QueryProvider>
    </MemoryRouter>,
  )
  const file = new File(['Name,Owner\nNorth,Ada\n'], 'accounts.csv', { type: 'text/csv' })
  await userEvent.upload(screen.getByLabelText(messages.file), file)
}
const isSaid = async (text: string) => (await screen.findAllByText(text, { exact: false })).length
const noMember = messages.unknownMember('Ada')
const notHere = messages.notDownloaded('Ada')

test('where the members were read, a name that is not among them is no member', async () => {
  for (const name of ['accounts', 'organisation_users']) queryClient.setQueryData(keyOf(name), [])
  await chooseFile({})
  expect(await isSaid(noMember)).toBe(1)
  expect(screen.queryByText(messages.unread)).toBe(null)
})

test('where the list of members is refused, a name may be a member, though a copy lacks it', async () => {
  for (const name of ['accounts', 'organisation_users']) queryClient.setQueryData(keyOf(name), [])
  await chooseFile({ organisation_users: 403 })
  expect(await isSaid(notHere)).toBe(1)
  expect(screen.queryByText(messages.unread)).not.toBe(null)
})

test('where the list of members is refused, a name may be a member, without a copy', async () => {
  queryClient.setQueryData(keyOf('accounts'), [])
  await act(async () => {
    await queryClient.prefetchQuery({
      queryKey: keyOf('organisation_users'),
      queryFn: () => Promise.reject(new Error('403')),
      retry: false,
    })
  })
  await chooseFile({})
  expect(await isSaid(notHere)).toBe(1)
  expect(screen.queryByText(messages.unread)).not.toBe(null)
})
