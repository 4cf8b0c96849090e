// @vitest-environment jsdom
// A cell of the table of plans was edited right after a start: the editor kept the plan of the press, without the edits
// that are stored on this device, and what it saved was based on that.
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { recordsQuery } from '../../../src/data/record-queries.ts'
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

type OnActions = React.ComponentProps<typeof BulkChanges>['onActions']

function List({ onActions }: { onActions: OnActions }) {
  const context = useViewContext()
  return (
    <BulkChanges
      plans={[PLAN]}
      group=""
      context={context}
      onActions={onActions}
      isSelecting={false}
      onSelecting={() => undefined}
    />
  )
}

test('a cell that is pressed before the outbox has been read is edited with the edits in it', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  // Nothing else is asked of it here.
  vi.spyOn(sync(), 'ready').mockResolvedValue({ decided: started } as EngineHandle)
  queryClient.setQueryData(recordsQuery('success_plans').queryKey, [PLAN])
  const onActions = vi.fn<OnActions>()
  render(
    <MemoryRouter>
      <QueryProvider>
        <List onActions={onActions} />
      </QueryProvider>
    </MemoryRouter>,
  )
  const anchor = document.body.appendChild(document.createElement('button'))
  act(() => onActions.mock.lastCall?.[0].edit({ plan: PLAN, field: 'end_date', anchor }))
  await act(async () => {
    sync().operations.set([EDIT])
    start()
    await started
  })
  const day = await screen.findByLabelText<HTMLInputElement>('End date')
  expect(day.value).toBe('2026-09-30')
})
