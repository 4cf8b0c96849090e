// A server answered a deletion with 2xx, and had not deleted the record: it came back without a word.
import { expect, onTestFinished, test } from 'vitest'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { offline } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

type Answer = ReturnType<PlainFixture['answer']>

/** Deletes a record, and lets time pass until the deletion is done or needs attention. */
async function deletion(stage: PlainFixture, endpoint: string, name: string) {
  const tab = await stage.readTab()
  const seen = (await stored(tab, name)).find(({ id }) => id === '1')
  const { network } = stage
  stage.network = offline
  await tab.enqueue(endpoint, { path: { id: '1' }, body: { title: 'It' } }, seen)
  const { length } = stage.plain.requests
  stage.network = network
  await stage.settled(tab)
  const waiting = (await tab.outbox.all()).filter(({ state }) => state === 'attention')
  return { tab, waiting, requests: () => stage.plain.requests.slice(length) }
}

const sent = (stage: PlainFixture) => stage.plain.seen('DELETE', /./).map(({ status }) => status)

test.for<[PlainOptions['deletions'], string, string, string]>([
  ['ignored', 'deleteAccount', 'accounts', ''],
  ['denied', 'deleteAccount', 'accounts', 'It has plans.'],
  ['denied', 'deleteAction', 'actions', 'It has plans.'],
])(
  'a deletion that the server confirms and has not made needs attention, with its message: %s, %s',
  async ([deletions, endpoint, name, message]) => {
    const stage = new PlainFixture({ deletions })
    const { tab, waiting } = await deletion(stage, endpoint, name)
    expect(waiting).toMatchObject([{ endpoint, last_error: { code: 'not_deleted', message } }])
    // A server may take a moment: it is sent once more before its author is asked.
    expect(sent(stage)).toHaveLength(2)
    expect((await stored(tab, name)).map(({ id }) => id)).toContain('1')
  },
)

test('a record that is still there right after its deletion, and not a moment later, is deleted', async () => {
  const stage = new PlainFixture()
  let later: (() => Answer) | undefined
  stage.network = (request) => {
    if (request.method !== 'DELETE') {
      const answer = stage.answer(request)
      if (request.url.endsWith('/accounts/1')) later?.()
      return answer
    }
    later ??= () => stage.answer(request)
    return { status: 202, headers: {}, text: '' }
  }
  const { waiting } = await deletion(stage, 'deleteAccount', 'accounts')
  expect(waiting).toEqual([])
  expect(stage.plain.records.tables.accounts.map(({ id }) => id)).not.toContain('1')
})

test('a record that is answered by its id with the time of its deletion is deleted', async () => {
  const stage = new PlainFixture({ deletions: 'soft' })
  const { waiting } = await deletion(stage, 'deleteAccount', 'accounts')
  expect(waiting).toEqual([])
  expect(sent(stage)).toEqual([204])
})

test.for(['lost', 'refused', 'busy'] as const)(
  'a deletion counts as made where its record cannot be read afterwards: %s',
  async (reading) => {
    const stage = new PlainFixture()
    stage.network = (request) => {
      const isAfter = sent(stage).length > 0 && request.url.endsWith('/accounts/1')
      if (!isAfter) return stage.answer(request)
      if (reading === 'lost') throw new TypeError('Failed to fetch')
      return { status: reading === 'busy' ? 503 : 403, headers: {}, text: '{"message":"No."}' }
    }
    const { waiting } = await deletion(stage, 'deleteAccount', 'accounts')
    expect(waiting).toEqual([])
    expect(sent(stage)).toEqual([204])
  },
)

test.for([
  ['a server with versions', 'versions', 'deleteAccount', 'accounts', /accounts\/1$/],
  ['a record that only its list has', '', 'deleteAction', 'actions', /actions$/],
] as const)(
  'nothing is read after a deletion without a message: %s',
  async ([, capabilities, endpoint, name, path]) => {
    const stage = new PlainFixture({ capabilities })
    // What the next lists no longer have is looked for: they are answered when the test has ended.
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    onTestFinished(() => end())
    stage.delayRequest = ({ url }) =>
      sent(stage).length > 0 && url.includes('?') ? ended : Promise.resolve()
    const { requests, waiting } = await deletion(stage, endpoint, name)
    expect(waiting).toEqual([])
    const after = requests().slice(requests().findIndex(({ method }) => method === 'DELETE') + 1)
    expect(after.filter((one) => path.test(one.path))).toEqual([])
  },
)
