// @vitest-environment jsdom
// The change of one contact put back the whole list as its dialog had shown it: what the same user had changed in other
// contacts since was lost without a question.
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { Contacts } from '../../../src/features/accounts/detail/contacts.tsx'
import { contactMessages as messages } from '../../../src/features/accounts/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { editingMessages } from '../../../src/widgets/editing/messages.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const contact = (name: string, phone: string | null = null) => ({
  id: name.toLowerCase(),
  name,
  email: null,
  phone,
  title: null,
  role: null,
  is_primary: name === 'Ada',
})
const OPENED = accountWith({ contacts: ['Ada', 'Ben', 'Cai'].map((name) => contact(name)) })
/** As the screen shows it later: Ada has a number, and Cai is gone. */
const LATER: Account = {
  ...OPENED,
  version: OPENED.version + 1,
  contacts: [contact('Ada', '+431'), contact('Ben')],
}

async function openDialog(button: string) {
  await userEvent.click(await screen.findByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog'))
  const type = async (field: keyof typeof messages.fields, text: string) =>
    userEvent.type(await dialog.findByLabelText(new RegExp(`^${messages.fields[field]}`)), text)
  return { dialog, type }
}

async function press(name: string) {
  await userEvent.click(screen.getByRole('button', { name }))
  await waitFor(() => expect(sync().operations.get()).toHaveLength(1))
  const [{ input, base } = { input: undefined, base: undefined }] = sync().operations.get()
  return {
    ...(input?.body as Pick<Account, 'contacts'>),
    base: { version: base?.version, contacts: base?.fields.contacts },
  }
}

const seen = ({ version, contacts }: Account) => ({ version, contacts })

test('a new contact whose draft is older than the list is added to the list as it is', async () => {
  const { rerender } = render(<Contacts account={OPENED} />)
  const { type } = await openDialog(messages.add)
  await type('name', 'Bob')
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  rerender(<Contacts account={LATER} />)
  await openDialog(messages.add)
  await screen.findByText(editingMessages.draftRestored)
  const { contacts, base } = await press(messages.save)
  expect(contacts).toMatchObject([...LATER.contacts, { name: 'Bob', is_primary: false }])
  expect(base).toEqual(seen(LATER))
})

test('an edit leaves alone what has changed in the other contacts while its dialog was open', async () => {
  const { rerender } = render(<Contacts account={OPENED} />)
  const { type } = await openDialog(messages.edit('Ben'))
  await type('title', 'CFO')
  rerender(<Contacts account={LATER} />)
  const { contacts, base } = await press(messages.save)
  expect(contacts).toEqual([contact('Ada', '+431'), { ...contact('Ben'), title: 'CFO' }])
  expect(base).toEqual(seen(LATER))
})

test('an edit of a contact that has changed meanwhile sets its own fields, and is compared with what was shown', async () => {
  const { rerender } = render(<Contacts account={OPENED} />)
  const { type } = await openDialog(messages.edit('Ada'))
  await type('title', 'CFO')
  rerender(<Contacts account={LATER} />)
  const { contacts, base } = await press(messages.save)
  expect(contacts).toEqual([{ ...contact('Ada', '+431'), title: 'CFO' }, contact('Ben')])
  expect(base).toEqual(seen(OPENED))
})

test('the removal of a contact that has changed meanwhile is compared with what was shown', async () => {
  const { rerender } = render(<Contacts account={OPENED} />)
  await openDialog(messages.edit('Ada'))
  rerender(<Contacts account={LATER} />)
  const { contacts, base } = await press(messages.remove)
  expect(contacts).toEqual([contact('Ben')])
  expect(base).toEqual(seen(OPENED))
})
