// @vitest-environment jsdom
// The outcome of a renewal is asked for right after a start: the form keeps the account as it was at the press, without
// the edits that are stored on this device, shows its former amount and saves that over the new one. Where its outcome
// is among these edits, it is asked for once more.
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { useAccounts } from '../../../src/data/accounts.ts'
import { recordsQuery } from '../../../src/data/record-queries.ts'
import { AccountStrip } from '../../../src/features/accounts/detail/account-strip.tsx'
import { outcomeMessages, renewalMessages } from '../../../src/features/renewals/messages.ts'
import { RenewalsView } from '../../../src/features/renewals/renewals-view.tsx'
import { writeStoredSession } from '../../../src/sync/browser/session-storage.ts'
import type { EngineHandle } from '../../../src/sync/browser/start-engine.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { ANN } from '../fixtures/offline-client.ts'
import { accountWith, operationWith } from '../fixtures/record-fixtures.ts'
import { press } from '../fixtures/press.ts'

const ACCOUNT = accountWith({ arr: 1000, renewal_date: '2026-06-14' })
const EDIT = operationWith({
  user_id: 'ann',
  organisation_id: 'north',
  endpoint: 'updateAccount',
  input: { path: { id: ACCOUNT.id }, body: { arr: 1250 } },
})
const OUTCOME = operationWith({
  user_id: 'ann',
  organisation_id: 'north',
  endpoint: 'updateAccount',
  input: { path: { id: ACCOUNT.id }, body: { status: 'churned' } },
})

beforeAll(() => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
  // The page of a user whose engine is still loading.
  writeStoredSession(localStorage, { seq: 1, session: ANN })
  createSync(() => new Promise(() => undefined))
  sync().capabilities.set('renewals')
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  sync().operations.set([])
})

/** The account as it is shown on its page. */
function Page() {
  const [account = ACCOUNT] = useAccounts().accounts ?? []
  return (
    <AccountStrip
      account={account}
      work={{ own: [], unread: undefined, entries: [], missing: [], authorOf: () => 'Ada' }}
      today="2026-06-20"
    />
  )
}

const Renewals = () => (
  <RenewalsView Preview={() => null} Bulk={() => null} onExport={() => Promise.resolve()} />
)

const SCREENS = [
  ['on the page of the account', Page],
  ['in the list of renewals', Renewals],
] as const

/** Asks for the outcome on the screen, before the outbox is read with this edit. */
async function askBefore(Screen: () => ReactNode, edit: Operation) {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  // Nothing else is asked of it here.
  vi.spyOn(sync(), 'ready').mockResolvedValue({ decided: started } as EngineHandle)
  queryClient.setQueryData(recordsQuery('accounts').queryKey, [ACCOUNT])
  for (const other of ['success_plans', 'actions', 'organisation_users'] as const)
    queryClient.setQueryData(recordsQuery(other).queryKey, [])
  render(
    <MemoryRouter>
      <QueryProvider>
        <Screen />
      </QueryProvider>
    </MemoryRouter>,
  )
  const name = renewalMessages.recordFor(ACCOUNT.name)
  await press(name)
  await act(async () => {
    sync().operations.set([edit])
    start()
    await started
  })
}

test.each(SCREENS)(
  'the outcome that is asked for %s is that of the account with its edits',
  async (_, Screen) => {
    await askBefore(Screen, EDIT)
    const amount = await screen.findByLabelText<HTMLInputElement>(
      new RegExp(`^${outcomeMessages.fields.amount}`),
    )
    expect(amount.value).toBe('1250')
  },
)

test.each(SCREENS)(
  'an outcome that waits in the outbox is not asked for again %s',
  async (_, Screen) => {
    await askBefore(Screen, OUTCOME)
    const name = renewalMessages.recordFor(ACCOUNT.name)
    await waitFor(() => expect(screen.queryAllByRole('button', { name })).toEqual([]))
    expect(screen.queryByRole('dialog')).toBeNull()
  },
)
