// @vitest-environment jsdom
// Undo of a removed contact had no effect once another contact had been removed as well; beside a list of accounts also
// once the removal had been sent.
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { ContactDialog } from '../../../src/features/accounts/detail/contact-dialog.tsx'
import { contactMessages as messages } from '../../../src/features/accounts/messages.ts'
import { overlayAccounts } from '../../../src/data/accounts.ts'
import { oneRecordQuery, recordsQuery } from '../../../src/data/record-queries.ts'
import { sync } from '../../../src/sync/client.ts'
import { activeScope, replicaOf } from '../../../src/sync/react/query-options.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { editingMessages } from '../../../src/widgets/editing/messages.ts'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { ANN, emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  queryClient.clear()
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
const STORED = accountWith({ contacts: ['Ada', 'Ben', 'Cai'].map(contact) })
const shown = (): Account => overlayAccounts([STORED], sync().operations.get())[0] ?? STORED
const names = () => shown().contacts.map(({ name }) => name)

async function remove(name: string) {
  const account = shown()
  const removed = account.contacts.find((one) => one.name === name)
  const { unmount } = render(
    <ContactDialog account={account} contact={removed} onClose={() => undefined} />,
  )
  await userEvent.click(await screen.findByRole('button', { name: messages.remove }))
  await waitFor(() => expect(names()).not.toContain(name))
  unmount()
  // A toast stays while the pointer is over it.
  const toast = screen.queryByText(messages.removed(name))?.parentElement
  if (toast) fireEvent.pointerEnter(toast)
}

async function undo(name: string) {
  const card = (await screen.findByText(messages.removed(name))).parentElement
  await userEvent.click(within(card!).getByRole('button', { name: messages.undo }))
}

/** What the screen reads. */
const PLACES: Record<string, () => Promise<unknown>> = {
  'on the page of the account': () => queryClient.fetchQuery(oneRecordQuery('accounts', STORED.id)),
  'beside a list of accounts': () => queryClient.fetchQuery(recordsQuery('accounts')),
}

/** Stores the account as the server has it, and reads it. */
async function show(read: () => Promise<unknown>, account: Account) {
  const replica = await replicaOf(activeScope())
  await replica.apply({ put: { accounts: [{ ...account }] }, deleted: [] })
  queryClient.clear()
  await read()
}

test.each(Object.entries(PLACES))('each of two contacts removed %s comes back', async (_, read) => {
  await show(read, STORED)
  render(<Toaster />)
  await remove('Ada')
  await remove('Ben')
  expect(names()).toEqual(['Cai'])
  await undo('Ada')
  await waitFor(() => expect(names()).toEqual(['Ada', 'Cai']))
  await undo('Ben')
  await waitFor(() => expect(names().toSorted()).toEqual(['Ada', 'Ben', 'Cai']))
})

test.each(Object.entries(PLACES))(
  'a contact whose removal %s was sent comes back',
  async (_, read) => {
    await show(read, STORED)
    render(<Toaster />)
    await remove('Ada')
    await emptyOutbox()
    const sent = { ...STORED, version: STORED.version + 1, contacts: STORED.contacts.slice(1) }
    await show(read, sent)
    await undo('Ada')
    await waitFor(() => expect(sync().operations.get()).toHaveLength(1))
    const [now] = overlayAccounts([sent], sync().operations.get())
    expect(now?.contacts.map(({ name }) => name)).toEqual(['Ada', 'Ben', 'Cai'])
  },
)

test('a contact of an account that is gone does not come back, which is said', async () => {
  render(<Toaster />)
  await remove('Ada')
  await emptyOutbox()
  await undo('Ada')
  await screen.findByText(messages.notBack('Ada'))
  expect(sync().operations.get()).toEqual([])
})

const open = (organisation: { id: string } | null) =>
  act(() => sync().chooseOrganisation(organisation))

test('after a switch, a removal that was sent is not undone in the other organisation, which is said', async () => {
  await show(() => queryClient.fetchQuery(recordsQuery('accounts')), STORED)
  render(<Toaster />)
  await remove('Ben')
  await emptyOutbox()
  await open({ id: 'south' })
  // Another server may have the same ids.
  await show(() => queryClient.fetchQuery(recordsQuery('accounts')), { ...STORED, contacts: [] })
  await undo('Ben')
  await screen.findByText(messages.notBack('Ben'))
  expect(sync().operations.get()).toEqual([])
  await open(ANN.active_organisation)
})

test('a removal that was not sent is undone where no organisation is open', async () => {
  await show(() => queryClient.fetchQuery(recordsQuery('accounts')), STORED)
  render(<Toaster />)
  await remove('Cai')
  await open(null)
  await undo('Cai')
  await waitFor(() => expect(names()).toEqual(['Ada', 'Ben', 'Cai']))
  expect(screen.queryByText(editingMessages.failed)).toBe(null)
  await open(ANN.active_organisation)
})
