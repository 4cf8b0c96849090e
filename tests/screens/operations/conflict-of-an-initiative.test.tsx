// @vitest-environment jsdom
// The question about the status of an initiative said that the plan has changed.
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { ConflictCard } from '../../../src/widgets/operations/conflict-card.tsx'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { operationWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(cleanup)

test.each([
  ['updateInitiative', 'initiative', 'An initiative'],
  ['updateSuccessPlan', 'plan', 'A plan'],
])('an impossible status of %s is said of the %s', async (endpoint, label, subject) => {
  const operation = operationWith({
    endpoint,
    input: { path: { id: '1' }, body: { status: 'completed' } },
    state: 'attention',
    base: { version: 3, fields: { status: 'in-progress' } },
    conflict: { fields: ['status'], theirs: { status: 'cancelled' } },
  })
  render(
    <QueryProvider>
      <ConflictCard operation={operation}>{null}</ConflictCard>
    </QueryProvider>,
  )
  const lead = await screen.findByText(/so this step is no longer possible/)
  expect(lead.textContent).toMatch(`The ${label} has changed, so`)
  screen.getByText(`${subject} that is cancelled can no longer become completed.`)
})
