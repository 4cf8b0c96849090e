// @vitest-environment jsdom
// An import says that all is sent while updates that bring its plans to their status wait, or are refused.
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { ImportResult } from '../../../src/features/import/import-result.tsx'
import { planImportMessages } from '../../../src/features/import/messages.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { ANN, openOffline } from '../fixtures/offline-client.ts'
import { operationWith, PLAN_ID, posting } from '../fixtures/record-fixtures.ts'

afterEach(cleanup)

test('an imported plan counts as sent when its updates are sent as well', async () => {
  const client = await openOffline()
  const own = { user_id: ANN.user.id, organisation_id: ANN.active_organisation.id }
  const plan = operationWith({
    endpoint: 'createSuccessPlan',
    input: { body: { id: PLAN_ID } },
    ...own,
  })
  const update = posting({ status: 'paused' }, own)
  const show = (operations: readonly Operation[]) => act(() => client.operations.set(operations))
  render(
    <MemoryRouter>
      <ImportResult
        progress={{ ids: [PLAN_ID] } as never}
        messages={planImportMessages}
        list="/success-plans"
        onAgain={() => undefined}
      />
    </MemoryRouter>,
  )
  show([plan, update])
  expect(screen.queryByText('All rows are sent.')).toBe(null)
  show([{ ...plan, state: 'acknowledged' }, update])
  expect(screen.queryByText('All rows are sent.')).toBe(null)
  show([{ ...update, state: 'attention' }])
  expect(screen.getByText(/^1 row could not be saved on the server/)).toBeTruthy()
  show([])
  expect(screen.getByText('All rows are sent.')).toBeTruthy()
})
