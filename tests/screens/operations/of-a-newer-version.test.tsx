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

const conflict = { fields: ['title'], theirs: { title: 'Theirs' } }

test.for([
  ['pending', {}, operationMessages.sentByNewer],
  ['attention', { conflict }, operationMessages.decidedInNewer],
] as const)(
  'an operation of a newer version, %s, can be discarded only',
  ([state, more, words]) => {
    const input = { body: { id: 'a', title: 'Start' } }
    const operation = operationWith({ endpoint: 'startPlan', input, state, ...more })
    render(
      <MemoryRouter>
        <QueryClientProvider client={new QueryClient()}>
          <PendingOperation operation={operation} />
        </QueryClientProvider>
      </MemoryRouter>,
    )
    expect(screen.getByText(words)).toBeTruthy()
    const names = screen.getAllByRole('button').map(({ textContent }) => textContent)
    expect(names).toEqual([operationMessages.copy, operationMessages.discard])
  },
)
