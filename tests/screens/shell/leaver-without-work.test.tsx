// @vitest-environment jsdom
// The dialog that ends a membership says that there is no work to hand over, though it has not been read, or promises
// that a name stays which the server does not keep.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { HandOverDialog } from '../../../src/features/members/hand-over-dialog.tsx'
import { handOverMessages as messages } from '../../../src/features/members/hand-over-messages.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith, actionWith, initiativeWith, planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
beforeEach(() => {
  act(() => sync().capabilities.set('handover'))
  act(() => sync().readReport.set({ unread: [], refused: {}, notKept: {} }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
})

const read = (collection: string, records: readonly unknown[]) =>
  queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', collection), records)
const NOTHING = { success_plans: [], accounts: [], initiatives: [], actions: [] }
const MEMBERS = ['bob', 'eve'].map((name) => ({ id: name, user_id: name, name }))

function open(lists: Readonly<Record<string, readonly unknown[]>>) {
  read('organisation_users', MEMBERS)
  for (const [collection, records] of Object.entries(lists)) read(collection, records)
  const onConfirm = vi.fn(() => Promise.resolve())
  render(
    <QueryProvider>
      <HandOverDialog
        user_id="bob"
        isMe={false}
        organisation={{ user_id: 'eve' } as Organisation}
        title="Remove Bob?"
        action="Remove"
        unavailable={undefined}
        onConfirm={onConfirm}
        onClose={() => {}}
      >
        {null}
      </HandOverDialog>
    </QueryProvider>,
  )
  return onConfirm
}
const remove = async () => userEvent.click(screen.getByRole('button', { name: 'Remove' }))
const NO_WORK = messages.hasNothing(false)

test('says that there is no work where all lists are read', async () => {
  const onConfirm = open(NOTHING)
  expect(await screen.findByText(NO_WORK)).toBeTruthy()
  await remove()
  expect(onConfirm).toHaveBeenCalledWith(undefined)
})

test('names what is not read, and offers who takes over', async () => {
  const { success_plans, initiatives } = NOTHING
  const onConfirm = open({ success_plans, initiatives })
  expect(await screen.findByText(messages.notKnown(false, 'accounts and actions'))).toBeTruthy()
  expect(screen.queryByText(NO_WORK)).toBe(null)
  expect(screen.getByLabelText(messages.heir)).toBeTruthy()
  await remove()
  expect(onConfirm).toHaveBeenCalledWith('eve')
})

test('counts what is known, and trusts no copy of a list that the server refuses', async () => {
  act(() => sync().readReport.set({ unread: [], refused: { accounts: 403 }, notKept: {} }))
  open({
    ...NOTHING,
    success_plans: [planWith({ owner_id: 'bob' })],
    accounts: [accountWith({ owner_id: 'bob' })],
  })
  const text = `${messages.has(false, '1 plan')} ${messages.notKnown(false, 'accounts')}`
  expect(await screen.findByText(text)).toBeTruthy()
})

test('counts only open initiatives and actions, and none of a closed plan', async () => {
  const plans = ['in-progress', 'completed', 'cancelled'].map((status) =>
    planWith({ id: status, status, owner_id: 'eve' }),
  )
  const places = ['in-progress', 'completed', 'cancelled', null]
  open({
    ...NOTHING,
    success_plans: plans,
    initiatives: [
      ...places.map((id) => initiativeWith({ owner_id: 'bob', success_plan_id: id })),
      initiativeWith({ owner_id: 'bob', success_plan_id: 'in-progress', status: 'completed' }),
    ],
    actions: [
      ...places.map((id) => actionWith({ assignee_id: 'bob', success_plan_id: id })),
      actionWith({ assignee_id: 'bob', success_plan_id: 'in-progress', status: 'done' }),
    ],
  })
  const work = messages.has(false, '2 open initiatives and 2 open actions')
  expect(await screen.findByText(work)).toBeTruthy()
})

test('does not wait for a list that the server does not have', async () => {
  act(() => sync().readReport.set({ unread: [], refused: { initiatives: 404 }, notKept: {} }))
  const { success_plans, accounts, actions } = NOTHING
  open({ success_plans, accounts, actions })
  expect(await screen.findByText(NO_WORK)).toBeTruthy()
})

test('where the server keeps no names of former members, it says that the name goes', async () => {
  act(() => sync().capabilities.set(''))
  open(NOTHING)
  expect(await screen.findByText(messages.nameGoes(false))).toBeTruthy()
  expect(screen.queryByText(messages.nameStays(false))).toBe(null)
})
