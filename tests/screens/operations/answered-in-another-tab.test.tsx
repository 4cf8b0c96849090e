// @vitest-environment jsdom
// A question that another tab has answered was said to be decided as this tab chose, or for their value.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { deletionMessages, questionMessages } from '../../../src/data/operations/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { ConflictCard } from '../../../src/widgets/operations/conflict-card.tsx'
import { DeletionCard } from '../../../src/widgets/operations/deletion-card.tsx'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const seen = planWith({ version: 1 })
const path = { id: seen.id }

/** Asks about the title of the plan, shows the card of that and answers it in another tab. */
async function answeredElsewhere(operation: Operation, card: (asked: Operation) => ReactNode) {
  const { outbox } = await sync().engine()
  const theirs = { ...seen, version: 2, title: 'Theirs' }
  const error = { status: 412, message: '' }
  await outbox.conflicts.rebase(operation, { theirs, changed_by: { title: 'bob' }, error })
  const [asked] = await outbox.all()
  if (!asked?.conflict) throw new Error('Nothing is asked.')
  render(
    <QueryClientProvider client={new QueryClient()}>
      {card(asked)}
      <Toaster />
    </QueryClientProvider>,
  )
  await outbox.conflicts.resolve(asked, asked.conflict.fields)
}

test('a choice between two values says when another tab has answered before', async () => {
  const body = { title: 'Mine' }
  const operation = await sync().enqueue(endpoints.updateSuccessPlan, { path, body }, seen)
  await answeredElsewhere(operation, (asked) => (
    <ConflictCard operation={asked}>{null}</ConflictCard>
  ))
  await userEvent.click(screen.getByRole('radio', { name: /Keep theirs/ }))
  await userEvent.click(screen.getByRole('button', { name: questionMessages.send }))
  expect(await screen.findByText(questionMessages.answered)).toBeTruthy()
})

test('a choice about a deletion says when another tab has answered before', async () => {
  const operation = await sync().enqueue(endpoints.deleteSuccessPlan, { path }, seen)
  await answeredElsewhere(operation, (asked) => <DeletionCard operation={asked} />)
  await userEvent.click(screen.getByRole('button', { name: deletionMessages.keep }))
  expect(await screen.findByText(questionMessages.answered)).toBeTruthy()
})
