// Another front end of the same server has written the specification's keys, or a person by hand: the app
// shows the sign-in, or fails at what it reads.
import { expect, onTestFinished, test } from 'vitest'
import { isOwner, canManage } from '../../../contract/roles.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { readStoredSession } from '../../../src/sync/browser/session-storage.ts'
import { readOperations } from '../../../src/sync/core/operation.ts'
import { SessionManager } from '../../../src/sync/core/session.ts'
import { EngineFixture, postUpdate, waitFor } from '../engine-fixture.ts'

const TOKENS = { access_token: 'access', refresh_token: 'refresh' }

const read = (values: Record<string, string>) =>
  readStoredSession({ getItem: (key: string) => values[key] ?? null } as Storage)

test('ids that are numbers are the same as strings', () => {
  const { session } = read({
    ...TOKENS,
    user: '{"id":7,"name":"Ana","email":"ana@plain.test","superadmin":0}',
    active_organisation: '{"id":1,"user_id":7,"pivot":{"role":"admin"}}',
  })
  expect(session).toMatchObject({ user: { id: '7' }, active_organisation: { id: '1' } })
  const [user, organisation] = [session?.user, session?.active_organisation] as unknown as [
    User,
    Organisation,
  ]
  expect(isOwner(user, organisation)).toBe(true)
})

test.for(['{"id":"1"}', '{"id":"1","name":5,"pivot":null}', '{"id":"1","name":null,"pivot":"x"}'])(
  'a screen can use what is stored as %s',
  (value) => {
    const { session } = read({ ...TOKENS, user: value, active_organisation: value })
    expect(session?.user).toMatchObject({ id: '1', name: '', email: '' })
    const [user, organisation] = [session?.user, session?.active_organisation] as unknown as [
      User,
      Organisation,
    ]
    expect(organisation).toMatchObject({ name: '' })
    expect(canManage(user, organisation)).toBe(false)
  },
)

test.for(['', '{', 'null', 'undefined', '[]', '5', '"1"', '{}', '{"id":""}', '{"id":{"a":1}}'])(
  'an organisation stored as %s is none, and such a user is looked for elsewhere',
  (value) => {
    const user = '{"id":"7","name":"Ana","email":"ana@plain.test"}'
    const stored = { ...TOKENS, user, session_seq: '5' }
    expect(read({ ...stored, active_organisation: value })).toMatchObject({
      seq: 5,
      session: { active_organisation: null },
    })
    expect(read({ ...stored, user: value })).toEqual({ seq: 0, session: null })
    const { access_token: _, ...withoutToken } = stored
    expect(read(withoutToken)).toEqual({ seq: 5, session: null })
  },
)

test('keys that were removed are a sign-out: nothing stays readable, and what waits stays for its author', async () => {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const tab = await stage.signedInTab('ann')
  await postUpdate(tab, 'They signed.')
  await waitFor(() => expect(stage.storedTexts).toEqual(['They signed.']))
  stage.network = () => {
    throw new Error('There is no network.')
  }
  await postUpdate(tab, 'They paid.')
  const readable = () =>
    stage.store.transact(['cache'], 'readonly', (tx) => tx.keys('cache', ['ann']))
  expect(await readable()).not.toEqual([])

  const { seq } = tab.session.current()
  const next = new SessionManager(stage.ports(), async () => ({ result: 'unreachable' }))
  await next.start({ seq, session: null })
  expect(next.current()).toMatchObject({ session: null, left: { user_id: 'ann', forced: true } })
  expect(await readable()).toEqual([])
  const waiting = await stage.store.transact(['operations'], 'readonly', readOperations)
  expect(waiting).toMatchObject([{ user_id: 'ann', state: 'pending' }])
})
