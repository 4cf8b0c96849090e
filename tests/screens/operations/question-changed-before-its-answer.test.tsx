// @vitest-environment jsdom
// The answer to a question was applied to values and fields that its card had not shown: another edit that waited had
// brought newer ones into it. A choice stayed where the value below it was replaced.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { deletionMessages, questionMessages } from '../../../src/data/operations/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
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

const edit = (body: { title?: string; description?: string; success_criteria?: string }) =>
  sync().enqueue(endpoints.updateSuccessPlan, { path, body }, seen)

/** An edit is rejected because others have set fields; resolves to the question. */
async function rebase(operation: Operation, version: number, set: Partial<SuccessPlan>) {
  const { outbox } = await sync().engine()
  const changed_by = Object.fromEntries(Object.keys(set).map((name) => [name, 'ben']))
  const theirs = { ...seen, version, ...set }
  await outbox.conflicts.rebase(operation, {
    theirs,
    changed_by,
    error: { status: 412, message: '' },
  })
  const question = (await outbox.all()).find(({ conflict }) => conflict)
  if (!question) throw new Error('Nothing is asked.')
  return question
}

const cardOf = (operation: Operation) => (
  <QueryProvider>
    <ConflictCard operation={operation}>{null}</ConflictCard>
    <Toaster />
  </QueryProvider>
)

/** The question as the card shows it, and after another edit has brought newer values into it. */
async function askTwice(newer: Partial<SuccessPlan>) {
  const first = await edit({ title: 'Mine', description: 'My description' })
  const shown = await rebase(first, 6, { title: 'Ben 1' })
  const second = await edit({ success_criteria: 'My criteria' })
  return { shown, ask: () => rebase(second, 8, newer) }
}

const mine = () => screen.getAllByRole<HTMLInputElement>('radio', { name: /Use mine/ })
const send = () => userEvent.click(screen.getByRole('button', { name: questionMessages.send }))

test.each([
  ['a value', { title: 'Ben 2' }],
  ['a field', { title: 'Ben 1', description: 'By Ben' }],
])('an answer changes nothing where the question has got %s since', async (_, newer) => {
  const { shown, ask } = await askTwice(newer)
  render(cardOf(shown))
  const asked = await ask()
  expect(asked.id).toBe(shown.id)
  for (const radio of mine()) await userEvent.click(radio)
  await send()
  expect(await screen.findByText(questionMessages.changed)).toBeTruthy()
  const { outbox } = await sync().engine()
  expect(await outbox.all()).toContainEqual(asked)
  expect(mine().map(({ checked }) => checked)).toEqual([false])
})

test('an answer counts where only what is not asked about has changed', async () => {
  const { shown, ask } = await askTwice({ title: 'Ben 1', close_note: 'By Ben' })
  render(cardOf(shown))
  await ask()
  for (const radio of mine()) await userEvent.click(radio)
  await send()
  expect(await screen.findByText(questionMessages.resolved)).toBeTruthy()
})

test('a choice is made again where the value below it changes', async () => {
  const { shown, ask } = await askTwice({ title: 'Ben 2' })
  const { rerender } = render(cardOf(shown))
  for (const radio of mine()) await userEvent.click(radio)
  rerender(cardOf(await ask()))
  expect(mine().map(({ checked }) => checked)).toEqual([false])
  expect(screen.getByText(questionMessages.changed)).toBeTruthy()
})

test('nothing is deleted where others have changed the record since the question was shown', async () => {
  const { outbox } = await sync().engine()
  const deletion = await sync().enqueue(endpoints.deleteSuccessPlan, { path }, seen)
  const shown = await rebase(deletion, 6, { title: 'Ben 1' })
  render(
    <QueryProvider>
      <DeletionCard operation={shown} />
      <Toaster />
    </QueryProvider>,
  )
  // Another tab has answered it, and the deletion was rejected again.
  await outbox.conflicts.resolve(shown, ['title'])
  const [deleted] = await outbox.all()
  const asked = await rebase(deleted ?? deletion, 8, { title: 'Ben 2' })
  expect(asked.id).toBe(shown.id)
  await userEvent.click(screen.getByRole('button', { name: deletionMessages.deleteAnyway }))
  expect(await screen.findByText(questionMessages.changed)).toBeTruthy()
  expect(await outbox.all()).toEqual([asked])
})
