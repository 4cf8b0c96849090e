// @vitest-environment jsdom
// An archive is made, or compared, before all of the organisation was read: what waits to be sent stands for the whole
// list. Or it waits for ever for what cannot be read.
import { renderHook, waitFor } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { createRecord } from '../../../src/data/change-records.ts'
import { useActions } from '../../../src/data/actions.ts'
import { useAccounts } from '../../../src/data/accounts.ts'
import { useContents } from '../../../src/features/archive/use-contents.ts'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { ANN, openOffline } from '../fixtures/offline-client.ts'
import {
  accountWith,
  actionWith,
  initiativeWith,
  PLAN_ID,
  planWith,
} from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)

const shown = () =>
  renderHook(
    () => ({ ...useContents(), actions: useActions().actions, accounts: useAccounts().accounts }),
    { wrapper: QueryProvider },
  )

async function store(put: Record<string, { id: string }[]>): Promise<void> {
  const engine = await sync().engine()
  const scope = { user_id: ANN.user.id, organisation_id: ANN.active_organisation.id }
  await engine.replicaOf(scope).apply({ put, deleted: [] })
}

test('there are no contents before the list of actions is on the device, though an action waits', async () => {
  const people = [{ id: 'm', user_id: 'ann', name: 'Ann', email: 'ann@north.test' }]
  await store({
    accounts: [accountWith()],
    success_plans: [planWith()],
    initiatives: [initiativeWith()],
    organisation_users: people,
  })
  await createRecord('actions', { title: 'Waits', success_plan_id: PLAN_ID })
  const before = shown()
  await waitFor(() => {
    const { actions, accounts } = before.result.current
    expect([actions?.length, accounts?.length]).toEqual([1, 1])
  })
  expect(before.result.current.contents).toBeUndefined()
  await waitFor(() => expect(before.result.current.isUnreadable).toBe(true))
  before.unmount()
  await store({ actions: [actionWith()] })
  const after = shown()
  await waitFor(() => expect(after.result.current.contents?.actions).toHaveLength(2))
  expect(after.result.current.isUnreadable).toBe(false)
})
