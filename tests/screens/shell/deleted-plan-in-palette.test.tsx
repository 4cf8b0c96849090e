// @vitest-environment jsdom
// The server still finds a plan whose deletion waits on the device; opened, it would not exist.
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { useDeviceRecords, useServerSearch } from '../../../src/app/palette/use-search.ts'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { deleteRecord } from '../../../src/widgets/editing/delete-record.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const kept = planWith({ id: 'kept', title: 'Harbour lights' })
const deleted = planWith({ id: 'deleted', title: 'Harbour walls' })

beforeAll(async () => {
  await openOffline()
  const replica = (await sync().engine()).activeReplica()
  await replica?.apply({ put: { success_plans: [kept, deleted] }, deleted: [] })
})
afterEach(cleanup)

test('the palette hides it until the deletion is undone', async () => {
  vi.spyOn(sync(), 'call').mockResolvedValue({ data: [kept, deleted], meta: {} })
  const { result } = renderHook(
    () => ({
      server: useServerSearch('Harbour').plans.map(({ id }) => id),
      device: useDeviceRecords(true).plans?.map(({ id }) => id),
    }),
    { wrapper: QueryProvider },
  )
  const both = { server: ['kept', 'deleted'], device: ['kept', 'deleted'] }
  await waitFor(() => expect(result.current).toEqual(both))
  const { title } = deleted
  await act(() => deleteRecord({ resource: 'success_plans', title, record: deleted }))
  await waitFor(() => expect(result.current).toEqual({ server: ['kept'], device: ['kept'] }))
  await act(emptyOutbox)
  await waitFor(() => expect(result.current).toEqual(both))
})
