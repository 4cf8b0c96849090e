// An operation that the server refused at once stayed "Sending" in the other tabs, and its question did not appear.
import { expect, test } from 'vitest'
import { Observable } from '../../../src/sync/core/observable.ts'
import { Outbox } from '../../../src/sync/core/outbox.ts'
import { OutboxView } from '../../../src/sync/core/outbox-view.ts'
import { EngineFixture } from '../engine-fixture.ts'

test('the other tabs are told that what was refused at once is no longer being sent', async () => {
  const ports = new EngineFixture().ports()
  const outbox = new Outbox(ports)
  const { id } = await outbox.enqueue({
    endpoint: 'postPlanUpdate',
    input: { path: { id: 'north-1' }, body: { id: 'update', body: 'They paid.' } },
    user_id: 'ann',
    organisation_id: 'north',
  })
  const published: string[][] = []
  let endThrottle = () => undefined as void
  const view = new OutboxView({
    outbox,
    calls: ports.calls,
    operations: new Observable([]),
    aliases: new Observable(new Map()),
    sending: new Observable(new Set()),
    beforeRemoval: async () => undefined,
    onFailure: () => undefined,
    publishSending: (ids) => published.push(ids),
    schedule: (_delayMs, work) => {
      endThrottle = work
    },
  })
  view.setSending([id])
  await outbox.reject(id, { status: 422, message: 'Not allowed.' })
  view.setSending([])
  await view.reload()
  endThrottle()
  expect(published).toEqual([[id], []])
})
