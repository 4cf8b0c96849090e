// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { Contacts } from '../../../src/features/accounts/detail/contacts.tsx'
import { sync } from '../../../src/sync/client.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'
import { waitFor } from '../../wait-for.ts'

const PETRA = {
  id: 'petra',
  name: 'Petra Lund',
  email: 'petra@ridge.example',
  title: null,
  role: null,
  is_primary: true,
}
const renderContact = (fields: { phone?: string | null }) =>
  render(
    <MemoryRouter>
      <Contacts account={accountWith({ contacts: [{ ...PETRA, ...fields }] })} />
    </MemoryRouter>,
  )
const sentContacts = () =>
  sync()
    .operations.get()
    .map(({ input }) => (input.body as { contacts?: unknown }).contacts)

beforeAll(async () => {
  await openOffline()
})
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

test('a contact is called at its number and mailed at its address', () => {
  renderContact({ phone: '+46 8 123 45 67 ext. 8' })
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(['mailto:petra@ridge.example', 'tel:+4681234567;ext=8'])
})

test.for([
  {
    title: 'a number that is emptied is cleared',
    stored: { phone: '+46 8 1' },
    sent: { phone: null },
  },
  {
    title: 'a number that an earlier build did not store is not cleared by an edit',
    stored: {},
    sent: expect.not.objectContaining({ phone: null }) as object,
  },
])('$title', async ({ stored, sent }) => {
  const user = userEvent.setup()
  renderContact(stored)
  await user.click(screen.getByRole('button', { name: /Edit Petra/ }))
  await user.clear(await screen.findByLabelText(/^Phone/))
  await user.type(screen.getByLabelText(/^Job title/), 'COO')
  await user.click(screen.getByRole('button', { name: 'Save contact' }))
  await waitFor(() => expect(sentContacts()).toMatchObject([[sent]]))
})

test('what is no phone number is said at the field', async () => {
  const user = userEvent.setup()
  renderContact({ phone: null })
  await user.click(screen.getByRole('button', { name: /Edit Petra/ }))
  await user.type(await screen.findByLabelText(/^Phone/), 'call me')
  await user.click(screen.getByRole('button', { name: 'Save contact' }))
  expect(await screen.findAllByText(/Enter a phone number/)).not.toEqual([])
  expect(sentContacts()).toEqual([])
})
