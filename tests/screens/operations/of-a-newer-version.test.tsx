// @vitest-environment jsdom
// A question of a newer version was shown in an old tab, where each answer failed.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { operationMessages } from '../../../src/data/operations/messages.ts'
import { PendingOperation } from '../../../src/widgets/operations/pending-operation.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { operationWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(cleanup)

test.for([
  { state: 'pending' as const },
  { state: 'attention' as const, conflict: { fields: ['title'], theirs: { title: 'Theirs' } } },
])('an operation of a newer version, $state, says who sends it and asks nothing', (more) => {
  const operation = operationWith({ endpoint: 'startPlan', input: { body: { id: 'a' } }, ...more })
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <PendingOperation operation={operation} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  expect(screen.getByText(operationMessages.newerVersion)).toBeTruthy()
  expect(screen.queryAllByRole('button')).toEqual([])
})
