// At a server that keeps the ids of devices and knows no keys, a colleague changes a record before its author's
// device has heard that it arrived: the device sends it again and again, and the server refuses the taken id.
import { expect, test } from 'vitest'
import type { Table } from '../../plain-server/plain-records.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const CHANGES: [table: Table, call: string, body: object, change: object][] = [
  ['accounts', 'createAccount', { name: 'Flood Co' }, { name: 'Dry Co' }],
  ['success-plans', 'createSuccessPlan', { title: 'Dry feet' }, { title: 'Wet', account_id: '2' }],
  ['initiatives', 'createInitiative', { title: 'Pumps' }, { success_plan_id: '3' }],
  ['actions', 'createAction', { title: 'Order' }, { title: 'Order them', success_plan_id: '3' }],
]
const PARENTS: Partial<Record<Table, object>> = {
  'success-plans': { type: 'customer', account_id: '1' },
  initiatives: { success_plan_id: '1' },
  actions: { success_plan_id: '1' },
}

test.for(CHANGES)('%s, with %s', async ([table, call, body, change]) => {
  const stage = new PlainFixture({ capabilities: 'ids', clientIds: 'unique' })
  const tab = await stage.readTab()
  const creates = () => stage.requests.filter((one) => one.method === 'POST' && isCreate(one.url))
  const isCreate = (url: string) => url.endsWith(`/${table}`)
  let isLost = true
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (!isLost || request.method !== 'POST' || !isCreate(request.url)) return answer
    isLost = false
    Object.assign(stage.plain.records.tables[table].at(-1) ?? {}, change)
    throw new TypeError('Failed to fetch')
  }
  const id = crypto.randomUUID()
  await tab.enqueue(call, { body: { ...PARENTS[table], ...body, id } })
  await waitFor(() => expect(creates()).toHaveLength(1))
  await stage.settled(tab)
  expect(creates()).toHaveLength(1)
  // The author is asked about what is another now; the record itself is there for what comes next.
  const open = (await tab.outbox.all()).filter(({ state }) => state === 'attention')
  expect(open.map(({ last_error }) => last_error?.code)).toEqual(['not_kept'])
  expect(open.map(({ endpoint }) => endpoint)).not.toContain(call)
})
