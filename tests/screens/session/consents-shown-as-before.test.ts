// @vitest-environment jsdom
// A changed notification setting that was sent while its screen was closed showed its old value from then on.
import { expect, test } from 'vitest'
import type { NotificationConsents } from '../../../contract/schemas/settings.ts'
import { loadIdentity } from '../../../src/app/boot/load-identity.ts'
import { consentsQuery, editConsents } from '../../../src/data/profile.ts'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { storeAnswer } from '../../../src/sync/react/query-options.ts'
import { waitFor } from '../../sync/engine-fixture.ts'
import { openOffline } from '../fixtures/offline-client.ts'

const kinds = { plan_update: true, plan_assigned: true, plan_stale: true, action_assigned: true }
const before = { email: kinds, push: kinds, digest: 'none', due_lead_days: 1 }

test('the answer is kept though the screen is closed, and stays once the operation is gone', async () => {
  await openOffline()
  await loadIdentity()
  const { queryKey } = consentsQuery()
  const name = String(queryKey.at(-1))
  const scope = { user_id: 'ann', organisation_id: '' }
  await storeAnswer(scope, name, before)
  await editConsents({ due_lead_days: 3 })
  const engine = await sync().engine()
  const [operation] = sync().operations.get()
  const answer = { ...before, due_lead_days: 3 }
  await engine.outbox.acknowledge(operation?.id ?? '', answer)
  await engine.outboxChanged()
  await waitFor(async () => {
    const stored = await engine.replicaOf(scope).getValue(name)
    expect(stored).toEqual(answer)
  })
  expect(queryClient.getQueryData<NotificationConsents>(queryKey)).toEqual(answer)
})
