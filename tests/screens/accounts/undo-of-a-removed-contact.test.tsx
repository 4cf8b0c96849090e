// @vitest-environment jsdom
// Undo of a removed contact had no effect once another contact had been removed as well.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../../contract/schemas/accounts.ts'
import { ContactDialog } from '../../../src/features/accounts/detail/contact-dialog.tsx'
import { contactMessages as messages } from '../../../src/features/accounts/messages.ts'
import { overlayAccounts } from '../../../src/data/accounts.ts'
import { oneRecordQuery } from '../../../src/data/record-queries.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
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
}

test('each of two removed contacts comes back where it was', async () => {
  queryClient.setQueryData(oneRecordQuery('accounts', STORED.id).queryKey, STORED)
  render(<Toaster />)
  await remove('Ada')
  await remove('Ben')
  expect(names()).toEqual(['Cai'])
  const undo = async (name: string) => {
    const toast = (await screen.findByText(messages.removed(name))).closest(
      'li, [role=status], div',
    )
    const button = [...(toast?.parentElement?.querySelectorAll('button') ?? [])].find(
      ({ textContent }) => textContent === messages.undo,
    )
    await userEvent.click(button ?? document.body)
  }
  await undo('Ada')
  await waitFor(() => expect(names()).toEqual(['Ada', 'Cai']))
  await undo('Ben')
  await waitFor(() => expect(names().toSorted()).toEqual(['Ada', 'Ben', 'Cai']))
})
