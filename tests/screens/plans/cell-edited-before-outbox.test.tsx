// @vitest-environment jsdom
// A cell of the table of plans was edited right after a start: the editor kept the plan of the press, without the edits
// that are stored on this device, and what it saved was based on that.
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { recordsQuery } from '../../../src/data/record-queries.ts'
import { usePlans } from '../../../src/data/success-plans/queries.ts'
import { BulkChanges } from '../../../src/features/success-plans/bulk/bulk-changes.tsx'
import { useViewContext } from '../../../src/features/success-plans/use-view-context.ts'
import { writeStoredSession } from '../../../src/sync/browser/session-storage.ts'
import type { EngineHandle } from '../../../src/sync/browser/start-engine.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { ANN } from '../fixtures/offline-client.ts'
import { operationWith, planWith } from '../fixtures/record-fixtures.ts'

const PLAN = planWith({ end_date: '2026-06-30' })
const EDIT = operationWith({
  user_id: 'ann',
  organisation_id: 'north',
  endpoint: 'updateSuccessPlan',
  input: { path: { id: PLAN.id }, body: { end_date: '2026-09-30' } },
})

beforeAll(() => {
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  // The page of a user whose engine is still loading.
  writeStoredSession(localStorage, { seq: 1, session: ANN })
  createSync(() => new Promise(() => undefined))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  sync().operations.set([])
})

type OnRows = React.ComponentProps<typeof BulkChanges>['onRows']

function List({ onRows }: { onRows: OnRows }) {
  const context = useViewContext()
  return (
    <>
      <BulkChanges
        plans={[PLAN]}
        group=""
        context={context}
        onRows={onRows}
        isSelecting={false}
        onSelecting={() => undefined}
      />
      <p>{usePlans().plans?.length} plans</p>
    </>
  )
}

test('a cell that is pressed before the outbox has been read is edited with the edits in it, also if its plan is deleted then', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  // Nothing else is asked of it here.
  vi.spyOn(sync(), 'ready').mockResolvedValue({ decided: started } as EngineHandle)
  queryClient.setQueryData(recordsQuery('success_plans').queryKey, [PLAN])
  const onRows = vi.fn<OnRows>()
  render(
    <MemoryRouter>
      <QueryProvider>
        <List onRows={onRows} />
      </QueryProvider>
    </MemoryRouter>,
  )
  const anchor = document.body.appendChild(document.createElement('button'))
  act(() => onRows.mock.lastCall?.[0].edit({ id: PLAN.id, field: 'end_date', anchor }))
  await act(async () => {
    sync().operations.set([EDIT])
    start()
    await started
  })
  const day = await screen.findByLabelText<HTMLInputElement>('End date')
  expect(day.value).toBe('2026-09-30')

  act(() => void queryClient.setQueryData(recordsQuery('success_plans').queryKey, []))
  await screen.findByText('0 plans')
  expect(document.body.contains(day)).toBe(true)
})
