// @vitest-environment jsdom
// A dialog that was not filled in kept the focus on its button: what is missing was not read out, and could be out of
// sight. The name of an organisation did not match with the space that keyboards of phones add.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { AccountDraft } from '../../../contract/schemas/accounts.ts'
import { validateForm } from '../../../contract/errors.ts'
import { DeleteOrganisation } from '../../../src/features/organisations/delete-organisation.tsx'
import { generalMessages } from '../../../src/features/organisations/general-messages.ts'
import { NoteDialog } from '../../../src/features/success-plans/updates/note-dialog.tsx'
import { sync } from '../../../src/sync/client.ts'
import { EditorDialog } from '../../../src/widgets/editing/editor-form.tsx'
import { DayPopover } from '../../../src/widgets/editing/many/day-popover.tsx'
import { EndDialog } from '../../../src/widgets/editing/many/end-dialog.tsx'
import { manyMessages } from '../../../src/widgets/editing/many/messages.ts'
import { useEditor } from '../../../src/widgets/editing/use-editor.tsx'
import { TextField } from '../../../src/ui/form/field.tsx'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  // jsdom has no popovers, and nothing in a dialog that is not open gets the focus.
  const showPopover = function open(this: HTMLElement) {
    this.setAttribute('open', '')
  }
  Object.assign(HTMLElement.prototype, { showPopover, hidePopover() {} })
  await openOffline()
  // The dialog's lazy part. Compiling it can take longer than a test waits for it.
  await import('../../../src/ui/overlay/dialog-sheet.tsx')
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const NORTH = { id: 'north', name: 'North' } as Organisation
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const expectFocus = (label: string) =>
  waitFor(() => {
    const field = screen.getByLabelText(label)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field)
  })

test('the note that a change needs gets the focus', async () => {
  render(
    <NoteDialog
      draft="status:x:paused"
      title="Pause"
      label="Note"
      hint="Why?"
      missing="Say why."
      actions={{ cancel: 'Keep', save: 'Pause', variant: 'primary' }}
      save={async () => undefined}
      onClose={() => undefined}
    />,
  )
  await press('Pause')
  await expectFocus('Note')
})

test('the day of an end date gets the focus', async () => {
  render(
    <EndDialog
      records={[planWith()]}
      countOf={(plans) => `${plans} plans`}
      save={async () => undefined}
      onClose={() => undefined}
    />,
  )
  await press('Change 1 plans')
  await expectFocus(manyMessages.day)
})

test('the end date beside a cell gets the focus', async () => {
  render(
    <DayPopover
      record={{ start_date: null, end_date: null }}
      label="End"
      anchor={document.body}
      onSave={() => undefined}
      onClose={() => undefined}
    />,
  )
  await userEvent.click(screen.getByText(manyMessages.save))
  await expectFocus(manyMessages.fields.end)
})

test('the name of the organisation to delete gets the focus, and a space around it does not count', async () => {
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
  const call = vi.spyOn(sync(), 'call').mockReturnValue(new Promise(() => undefined))
  render(
    <MemoryRouter>
      <DeleteOrganisation organisation={NORTH} onClose={() => undefined} />
    </MemoryRouter>,
  )
  await press(generalMessages.deleteConfirm)
  const label = generalMessages.deleteRepeat(NORTH.name)
  await expectFocus(label)
  await userEvent.type(screen.getByLabelText(label), 'North ')
  await press(generalMessages.deleteConfirm)
  expect(call.mock.calls).toMatchObject([[{}, { body: { name: 'North' } }]])
})

function AccountDialog() {
  const editor = useEditor({
    id: 'account',
    initial: { name: '' },
    labels: { name: 'Name' },
    check: (fields) => validateForm(AccountDraft, fields),
    save: async () => undefined,
    done: () => undefined,
  })
  return (
    <EditorDialog editor={editor} title="Account" action="Save" onCancel={() => undefined}>
      <TextField {...editor.field('name')} />
    </EditorDialog>
  )
}

test('a form that lists its errors keeps the focus on the list', async () => {
  render(<AccountDialog />)
  await press('Save')
  expect(document.activeElement).toBe(await screen.findByRole('alert'))
})
