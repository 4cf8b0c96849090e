// @vitest-environment jsdom
// A note or a summary that no server takes was “saved on this device” and refused later.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { validationMessages } from '../../../contract/text/messages.ts'
import { validate } from '../../../contract/errors.ts'
import { SuccessPlanUpdateDraft } from '../../../contract/schemas/success-plans.ts'
import { reviewMessages } from '../../../src/features/success-plans/review/messages.ts'
import { SummaryActions } from '../../../src/features/success-plans/review/summary-actions.tsx'
import { StatusDialog } from '../../../src/features/success-plans/updates/status-dialog.tsx'
import { newId } from '../../../src/sync/browser/new-id.ts'
import { sync } from '../../../src/sync/client.ts'
import { waitFor } from '../../wait-for.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'
import { press } from '../fixtures/press.ts'

beforeAll(async () => {
  await openOffline()
  // The dialog's lazy part. Compiling it can take longer than a test waits for it.
  await import('../../../src/ui/overlay/dialog-sheet.tsx')
})
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const show = (element: React.ReactNode) =>
  render(<QueryClientProvider client={new QueryClient()}>{element}</QueryClientProvider>)
const bodies = () =>
  sync()
    .operations.get()
    .map(({ input }) => input.body)

test.each([
  ['too long', 'a'.repeat(5_001), validationMessages.maxCharacters(5_000)],
  ['of control characters', 'The contract\u0007', validationMessages.controlCharacters],
])('a note that is %s says so, and is not saved', async (_, note, problem) => {
  const close = vi.fn<() => void>()
  // A plan of its own, because the dialog keeps what was typed.
  const plan = planWith({ id: newId() })
  show(<StatusDialog plan={plan} to="paused" name="Pause" onClose={close} />)
  await userEvent.click(await screen.findByRole('textbox'))
  await userEvent.paste(note)
  await press('Pause')
  expect(await screen.findByText(problem)).toBeTruthy()
  expect(close).not.toHaveBeenCalled()
  expect(bodies()).toEqual([])
})

const post = async (text: string) => {
  show(<SummaryActions text={text} day="2026-03-10" plans={[planWith()]} />)
  await press(reviewMessages.post)
  await press(reviewMessages.postAction)
}

test('a summary that is too long for an update is posted shortened, and says so', async () => {
  const text = Array.from({ length: 500 }, (_, line) => `- Plan ${line}: on track`).join('\n')
  await post(text)
  await waitFor(() => expect(bodies()).toHaveLength(1))
  const [body] = bodies()
  expect(validate(SuccessPlanUpdateDraft, body)).toMatchObject({ ok: true })
  expect(body).toMatchObject({
    body: expect.stringMatching(/^- Plan 0: .*: on track\n\nThe rest /s),
  })
})

test('a summary of control characters says so, and is not posted', async () => {
  await post('The contract\u0007')
  expect(await screen.findByText(validationMessages.controlCharacters)).toBeTruthy()
  expect(bodies()).toEqual([])
})
