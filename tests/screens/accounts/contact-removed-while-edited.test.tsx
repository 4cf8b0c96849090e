// @vitest-environment jsdom
// A contact that was removed by a colleague while its dialog was open became a new one there: Save added it a second
// time under another id, and Remove removed the last of the others.
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { Contacts } from '../../../src/features/accounts/detail/contacts.tsx'
import { contactMessages as messages } from '../../../src/features/accounts/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const contact = (name: string) => ({
  id: name.toLowerCase(),
  name,
  email: null,
  title: null,
  role: null,
  is_primary: false,
})
const ACCOUNT = accountWith({ contacts: ['Ada', 'Ben'].map(contact) })

/** The dialog of Ada, who is removed while it is open. */
async function openRemoved() {
  const { rerender } = render(<Contacts account={ACCOUNT} />)
  await userEvent.click(await screen.findByRole('button', { name: messages.edit('Ada') }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.type(
    within(dialog).getByLabelText(new RegExp(`^${messages.fields.title}`)),
    'CFO',
  )
  const contacts = ACCOUNT.contacts.slice(1)
  rerender(<Contacts account={{ ...ACCOUNT, version: ACCOUNT.version + 1, contacts }} />)
  return within(dialog)
}

test('Save edits the contact under its id', async () => {
  const dialog = await openRemoved()
  await userEvent.click(dialog.getByRole('button', { name: messages.save }))
  await waitFor(() => expect(sync().operations.get()).toHaveLength(1))
  const [{ input } = { input: undefined }] = sync().operations.get()
  expect(input).toMatchObject({ body: { contacts: [{ id: 'ada', title: 'CFO' }, { id: 'ben' }] } })
})

test('Remove leaves the other contacts alone', async () => {
  const dialog = await openRemoved()
  await userEvent.click(dialog.getByRole('button', { name: messages.remove }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sync().operations.get()).toEqual([])
})
