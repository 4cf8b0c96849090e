// A server answers a write with a part of the record: what the schema fills in for the rest replaced what was known.
import { expect, test } from 'vitest'
import { namedIn } from '../../../src/sync/core/arrival/content.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

test.each([
  [
    'a plan',
    'updateSuccessPlan',
    { path: { id: '1' }, body: { title: 'Dry feet' } },
    { id: 1, title: 'Dry feet', type: 'project', status: 'planned', progress: 0 },
  ],
  ['the profile', 'updateUserinfo', { body: { job_title: 'CSM' } }, { id: 1, job_title: 'CSM' }],
  [
    'the notifications',
    'updateNotificationConsents',
    { body: { email: { plan_update: true }, digest: 'daily' } },
    { email: { plan_update: true }, digest: 'daily' },
  ],
] as const)('of the answer about %s only what it names is kept', async (_, name, input, data) => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) => {
    const answer = stage.answer(request)
    return request.method === 'PUT' || request.method === 'PATCH'
      ? { ...answer, text: JSON.stringify({ data }) }
      : answer
  }
  const answers: unknown[] = []
  tab.state.operations.subscribe(() => {
    for (const { answer } of tab.state.operations.get()) if (answer) answers.push(answer)
  })
  await tab.enqueue(name, input)
  await waitFor(() => {
    tab.wake()
    expect(answers[0]).toEqual('id' in data ? { ...data, id: String(data.id) } : data)
  })
})

test('a record in a form that names none of its fields is kept whole, as is its id', () => {
  const record = { id: '1', name: 'Flood Co', tags: [], contacts: [{ id: '2', phone: null }] }
  expect(namedIn(record, undefined)).toEqual(record)
  expect(namedIn(record, { data: [{ id: 1, name: 'Flood Co' }] })).toEqual(record)
  expect(namedIn(record, { name: 'Flood Co', contacts: [{ id: 2 }] })).toEqual({
    id: '1',
    name: 'Flood Co',
    contacts: [{ id: '2', phone: null }],
  })
})
