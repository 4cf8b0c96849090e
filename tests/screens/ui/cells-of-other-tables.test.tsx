// @vitest-environment jsdom
// A value of an initiative or account could be changed only on its page, or by selecting its row first.
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { ComponentType } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { Renewals } from '../../../src/app/navigation/renewals.tsx'
import { Component as AccountList } from '../../../src/features/accounts/list-screen.tsx'
import { Component as InitiativeList } from '../../../src/features/initiatives/list-screen.tsx'
import { sync } from '../../../src/sync/client.ts'
import type { NotKept } from '../../../src/sync/core/arrival/server-fields.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { accountWith, initiativeWith } from '../fixtures/record-fixtures.ts'

beforeAll(async () => {
  // jsdom has no layout, no media queries and no popovers.
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('43rem'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
  vi.stubGlobal('ResizeObserver', function Observer() {
    return { observe: () => {}, disconnect: () => {} }
  })
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  await openOffline()
})
afterEach(async () => {
  cleanup()
  queryClient.clear()
  vi.restoreAllMocks()
  await emptyOutbox()
})

const KEEL = initiativeWith({
  id: 'keel',
  title: 'Lay the keel',
  status: 'planned',
  owner_id: null,
  start_date: '2026-05-01',
})
const MAST = initiativeWith({ id: 'mast', title: 'Raise the mast', status: 'archived' })
const HARBOUR = accountWith({
  id: 'harbour',
  name: 'Harbour',
  owner_id: null,
  health: 'at-risk',
  renewal_date: '2020-03-01',
})
const LISTS = {
  accounts: [HARBOUR],
  initiatives: [KEEL, MAST],
  success_plans: [],
  actions: [],
  organisation_users: [],
}

/** Shows a list at a server that does not keep some fields. */
function show(Component: ComponentType, notKept: NotKept = {}) {
  // The engine, which has no network, publishes its own state when its start goes on.
  vi.spyOn(sync().connection, 'get').mockReturnValue('online')
  const report = { unread: [], refused: {}, notKept }
  vi.spyOn(sync().readReport, 'get').mockReturnValue(report)
  for (const [name, records] of Object.entries(LISTS))
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), records)
  const router = createMemoryRouter([{ path: '*', Component }])
  render(
    <QueryProvider>
      <RouterProvider router={router} />
      <Toaster />
    </QueryProvider>,
  )
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
/** The cells of a row that are edited, once it is loaded what edits them. */
async function editedCells(name: string) {
  await screen.findAllByTitle(/^Change /)
  return within(await row(name)).queryAllByTitle(/^Change /)
}
const cell = async (name: string, value: string) => {
  await editedCells(name)
  return within(await row(name)).getByRole('button', { name: value })
}
const menu = (name: string) => screen.findByLabelText(name)
const items = (of: HTMLElement) =>
  [...of.querySelectorAll('[role^=menuitem]')].map(({ textContent }) => textContent)
const choose = (of: HTMLElement, label: string) => fireEvent.click(within(of).getByText(label))
const stored = () =>
  sync()
    .operations.get()
    .map(({ endpoint, input }) => [endpoint, input.path?.['id'], input.body])

test('the owner of an initiative is changed in its cell, and that is undone', async () => {
  show(InitiativeList)
  fireEvent.click(await cell('Lay the keel', 'No owner'))
  choose(await menu('Owner of “Lay the keel”: none'), 'Ann (you)')
  await waitFor(() => expect(stored()).toEqual([['updateInitiative', 'keel', { owner_id: 'ann' }]]))
  fireEvent.click(await screen.findByText('Undo'))
  await waitFor(() => expect(stored()).toEqual([]))
})

test('the undo leaves the focus alone where another row has got the cell by then', async () => {
  show(InitiativeList)
  const owner = await cell('Lay the keel', 'No owner')
  const place = owner.closest('[data-row]')
  fireEvent.click(owner)
  choose(await menu('Owner of “Lay the keel”: none'), 'Ann (you)')
  const undo = await screen.findByText('Undo')
  // As after scrolling: rows that left the window give their elements to others.
  place?.setAttribute('data-row', 'mast')
  const focus = vi.spyOn(owner, 'focus')
  fireEvent.click(undo)
  await waitFor(() => expect(stored()).toEqual([]))
  await screen.findByText(/^Undone/)
  expect(focus).not.toHaveBeenCalled()
})

test('an owner who is not among the members is shown as a former member', async () => {
  LISTS.initiatives = [{ ...KEEL, owner_id: 'gone' }, MAST]
  onTestFinished(() => void (LISTS.initiatives = [KEEL, MAST]))
  show(InitiativeList)
  fireEvent.click(await cell('Lay the keel', 'A former member'))
  await menu('Owner of “Lay the keel”: A former member')
})

test('the value that a record has already is chosen without a word', async () => {
  show(AccountList)
  fireEvent.click(await cell('Harbour', 'At risk'))
  choose(await menu('Health of “Harbour”: at risk'), 'At risk')
  fireEvent.click(await cell('Harbour', 'No tier'))
  choose(await menu('Tier of “Harbour”: none'), 'Strategic')
  await screen.findByText(/^Tier of .* changed$/)
  expect(screen.queryByText(/would change/)).toBeNull()
  expect(stored()).toEqual([['updateAccount', 'harbour', { tier: 'strategic' }]])
})

test('the status of an initiative can become those that it allows; one that allows none is no button', async () => {
  show(InitiativeList)
  expect(await editedCells('Raise the mast')).toHaveLength(3)
  fireEvent.keyDown(await cell('Lay the keel', 'planned'), { key: 'F2' })
  const statuses = await menu('Status of “Lay the keel”: planned')
  expect(items(statuses)).toEqual(['In progress', 'Cancelled'])
  choose(statuses, 'In progress')
  await waitFor(() =>
    expect(stored()).toEqual([['updateInitiative', 'keel', { status: 'in-progress' }]]),
  )
})

test('the end date of an initiative is not saved before its start', async () => {
  show(InitiativeList)
  fireEvent.click(await cell('Lay the keel', 'No end date'))
  const day = await screen.findByLabelText<HTMLInputElement>('End date')
  const save = (to: string) => {
    fireEvent.change(day, { target: { value: to } })
    fireEvent.submit(day)
  }
  save('2026-04-30')
  await screen.findByText(/^Enter a date from/)
  save('2026-05-06')
  await waitFor(() =>
    expect(stored()).toEqual([['updateInitiative', 'keel', { end_date: '2026-05-06' }]]),
  )
})

test('tier, health and owner of an account are edited in its cells where the server keeps them', async () => {
  show(AccountList, { accounts: ['health'] })
  expect((await editedCells('Harbour')).map(({ title }) => title)).toEqual([
    'Change tier',
    'Change owner',
  ])
  fireEvent.click(await cell('Harbour', 'No tier'))
  choose(await menu('Tier of “Harbour”: none'), 'Strategic')
  await waitFor(() =>
    expect(stored()).toEqual([['updateAccount', 'harbour', { tier: 'strategic' }]]),
  )
})

test('of a renewal only the owner of its account is edited: the risk is also that of its plans', async () => {
  show(Renewals)
  expect((await editedCells('Harbour')).map(({ title }) => title)).toEqual(['Change owner'])
  fireEvent.click(await cell('Harbour', 'No owner'))
  choose(await menu('Owner of “Harbour”: none'), 'Ann (you)')
  await waitFor(() => expect(stored()).toEqual([['updateAccount', 'harbour', { owner_id: 'ann' }]]))
})
