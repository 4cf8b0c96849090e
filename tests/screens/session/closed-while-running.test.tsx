// @vitest-environment jsdom
// A question or a form could be closed while what it had asked for was running: it went on, and its failure was said
// nowhere.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { DeleteOrganisation } from '../../../src/features/organisations/delete-organisation.tsx'
import { NewOrganisation } from '../../../src/features/organisations/new-organisation.tsx'
import { organisationMessages } from '../../../src/features/organisations/messages.ts'
import { generalMessages } from '../../../src/features/organisations/general-messages.ts'
import { ConfirmForm } from '../../../src/features/profile/security/confirm-form.tsx'
import { TemplateForm } from '../../../src/features/templates/template-form.tsx'
import { templateFormMessages } from '../../../src/features/templates/messages.ts'
import { CallError, createSync, sync } from '../../../src/sync/client.ts'
import { uiMessages } from '../../../src/ui/messages.ts'
import { ConfirmDialog } from '../../../src/widgets/editing/confirm-dialog.tsx'
import { editingMessages } from '../../../src/widgets/editing/messages.ts'
import { press } from '../fixtures/press.ts'

// Without a session there is no role.
vi.mock('../../../src/features/templates/use-write-blocker.ts', () => ({
  useWriteBlocker: () => undefined,
}))
const NORTH = { id: 'north', name: 'North' } as Organisation
const ACTION = 'Remove'

const close = vi.fn<() => void>()
let fail: (problem: Error) => void
const work = () => new Promise<void>((_, reject) => (fail = reject))

beforeAll(async () => {
  // jsdom has no popovers, where a button says why it cannot be pressed.
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  createSync(() => Promise.reject(new Error('No engine.')))
  // The dialog's lazy part. Compiling it can take longer than a test waits for it.
  await import('../../../src/ui/overlay/dialog-sheet.tsx')
})
beforeEach(() => act(() => sync().connection.set('online')))
afterEach(() => {
  cleanup()
  close.mockClear()
  vi.restoreAllMocks()
})

/** Tries each way out while the work is running, then lets it fail. */
async function expectToStay(ways: readonly string[]) {
  for (const name of ways) await press(name)
  await userEvent.keyboard('{Escape}')
  await userEvent.click(document.body)
  expect(close).not.toHaveBeenCalled()
  act(() => fail(new CallError('unreachable')))
  expect(await screen.findByText(editingMessages.unreachable)).toBeTruthy()
  for (const name of ways) await press(name)
  expect(close).toHaveBeenCalledTimes(ways.length)
}

test('the deletion of an organisation stays open while it runs, and says that it failed', async () => {
  vi.spyOn(sync(), 'call').mockImplementation(work)
  render(
    <MemoryRouter>
      <DeleteOrganisation organisation={NORTH} onClose={close} />
    </MemoryRouter>,
  )
  const name = await screen.findByLabelText(generalMessages.deleteRepeat(NORTH.name))
  await userEvent.type(name, NORTH.name)
  await press(generalMessages.deleteConfirm)
  await expectToStay([generalMessages.keep, uiMessages.close])
})

test('a confirmation stays open while it runs, and says that it failed', async () => {
  render(
    <ConfirmDialog title="Remove Bob?" action={ACTION} onConfirm={work} onClose={close}>
      Bob
    </ConfirmDialog>,
  )
  await press(ACTION)
  await expectToStay([editingMessages.cancel, uiMessages.close])
})

test('the form of a setting stays open while it runs, and says that it failed', async () => {
  render(
    <MemoryRouter>
      <ConfirmForm action={ACTION} work={work} onDone={() => {}} onCancel={close}>
        Bob
      </ConfirmForm>
    </MemoryRouter>,
  )
  await press(ACTION)
  await expectToStay([editingMessages.cancel])
})

test('the form of a new organisation stays open while it is created, and says that it failed', async () => {
  vi.spyOn(sync(), 'call').mockImplementation(work)
  render(<NewOrganisation onClose={close} onCreated={async () => {}} />)
  await userEvent.type(await screen.findByLabelText(organisationMessages.name), 'North')
  await press(organisationMessages.submit)
  await expectToStay([editingMessages.cancel, uiMessages.close])
})

test('the form of a template stays open while it is created, and says that it failed', async () => {
  vi.spyOn(sync(), 'call').mockImplementation(work)
  render(<TemplateForm onDone={() => {}} onCancel={close} />)
  const { fields, create } = templateFormMessages
  await userEvent.type(await screen.findByLabelText(fields.title), 'Rollout')
  await press(create)
  await expectToStay([editingMessages.cancel])
})
