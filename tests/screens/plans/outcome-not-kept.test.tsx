// @vitest-environment jsdom
// The draft of a completed plan had only its note: a chosen “Missed” was “Achieved” when it was opened again. Then that
// of many plans was chosen for others, with nothing to see of where it came from.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { ExplainedChange } from '../../../src/features/success-plans/bulk/explained-change.tsx'
import {
  transitionMessages as messages,
  updateMessages,
} from '../../../src/features/success-plans/plan-messages.ts'
import { StatusDialog } from '../../../src/features/success-plans/updates/status-dialog.tsx'
import { newId } from '../../../src/sync/browser/new-id.ts'
import { sync } from '../../../src/sync/client.ts'
import { draftKey, saveDraft } from '../../../src/sync/react/drafts.ts'
import { waitFor } from '../../wait-for.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  await openOffline()
  // The dialog's lazy part. Compiling it can take longer than a test waits for it.
  await import('../../../src/ui/overlay/dialog-sheet.tsx')
})
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const NOTE = 'The budget was cut'
const { to, outcomes } = messages
const ofOne = (plan: SuccessPlan) => (
  <StatusDialog plan={plan} to="completed" name={to.completed} onClose={() => {}} />
)
const inTheList = (...plans: SuccessPlan[]) => (
  <ExplainedChange
    plans={plans}
    asked={{ kind: 'status', status: 'completed' }}
    save={async () => {}}
    onClose={() => {}}
  />
)

const open = async (dialog: React.ReactNode) => {
  render(<QueryClientProvider client={new QueryClient()}>{dialog}</QueryClientProvider>)
  return await screen.findByRole<HTMLTextAreaElement>('textbox')
}
const choice = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })

test.each([
  ['of one plan', ofOne],
  ['in the list', inTheList],
])(
  'the outcome chosen %s is there with its note when the dialog opens again',
  async (_, dialog) => {
    const plan = planWith({ id: newId() })
    await userEvent.type(await open(dialog(plan)), NOTE)
    await userEvent.click(choice(outcomes.missed))
    cleanup()
    expect((await open(dialog(plan))).value).toBe(NOTE)
    expect(choice(outcomes.missed).checked).toBe(true)
    expect(screen.getByText(updateMessages.draftRestored)).toBeTruthy()
  },
)

test('for many plans the draft restores an outcome only together with a note', async () => {
  const two = () => inTheList(planWith({ id: newId() }), planWith({ id: newId() }))
  const note = await open(two())
  await userEvent.click(choice(outcomes.missed))
  await userEvent.type(note, NOTE)
  cleanup()
  const restored = await open(two())
  expect([restored.value, choice(outcomes.missed).checked]).toEqual([NOTE, true])
  await userEvent.clear(restored)
  expect(choice(outcomes.missed).checked).toBe(true)
  cleanup()
  await open(two())
  expect(choice(outcomes.achieved).checked).toBe(true)
})

test('an outcome that the draft restored is saved with the plan', async () => {
  const plan = planWith({ id: newId() })
  await open(ofOne(plan))
  await userEvent.click(choice(outcomes.missed))
  cleanup()
  await open(ofOne(plan))
  await userEvent.click(screen.getByRole('button', { name: to.completed }))
  await waitFor(() => expect(sync().operations.get()).toHaveLength(1))
  expect(sync().operations.get()).toMatchObject([
    { input: { body: { status: 'completed', outcome: 'missed', body: '' } } },
  ])
})

test.each([NOTE, '100', 'null', '{"outcome":"great"}'])(
  'the draft %s of an earlier version is a note, and leaves the first outcome chosen',
  async (note) => {
    const plan = planWith({ id: newId() })
    const key = draftKey(`status:${plan.id}:completed`)
    await saveDraft(key ?? [], note)
    expect((await open(ofOne(plan))).value).toBe(note)
    expect(choice(outcomes.achieved).checked).toBe(true)
  },
)
