// An account that cannot be deleted, or that leaves something behind: a session, a name, an organisation without owner.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../../../server/database/database.ts'
import { endSignIns } from '../../../server/ops/admin/users.ts'
import { ApiFixture, PASSWORD, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let olga: ApiUser
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open()
})
beforeEach(async () => {
  world.advance({ minutes: 1 })
  olga = await world.createOwner('Olga')
  const person = await world.verify(await world.createUser('Mia'))
  mia = await world.addMember(person, olga.organisation, 'member')
})
afterAll(() => world.close())

const remove = (by = mia) => by.call('DELETE', '/api/v1/userinfo')

test('one’s own data comes as one document', async () => {
  const plan = await olga.createPlan({ title: 'Roll-out' })
  await mia.post(`/api/v1/success-plans/${plan}/updates`, { body: 'They signed.' })
  await olga.post(`/api/v1/success-plans/${plan}/updates`, { body: 'Not mine.' })
  const view = { id: uuidv7(), name: 'By month', search: 'group=month' }
  const { id, ...body } = view
  await mia.call('PUT', `/api/v1/saved-views/${id}`, { body })
  await olga.call('PUT', `/api/v1/saved-views/${uuidv7()}`, {
    body: { ...body, name: 'Not mine.' },
  })
  const answer = await mia.get('/api/v1/own-data')
  expect(answer.json).toMatchObject({
    user: { id: mia.id, email: mia.email, name: 'Mia' },
    notification_consents: { digest: 'weekly' },
    linked_sign_ins: [],
    passkeys: [],
    sign_ins: [{ revoked_at: null }],
    organisations: [
      {
        id: olga.organisation,
        role: 'member',
        saved_views: [view],
        updates: [{ plan: 'Roll-out', body: 'They signed.' }],
      },
    ],
  })
  expect(answer.text).not.toContain('Not mine.')
})

test('a deleted account ends with its sessions and memberships, and its address is free', async () => {
  const { refresh_token } = mia.tokens
  const plan = await olga.createPlan({ title: 'Hers', owner_id: mia.id })
  const before = world.mails.length
  expect((await remove()).status).toBe(204)
  expect(world.mails.slice(before).map(({ to, subject }) => [to, subject])).toEqual([
    [mia.email, 'Your account was deleted'],
  ])
  expect((await mia.get('/api/v1/userinfo')).status).toBe(401)
  expect((await world.token({ grant_type: 'refresh_token', refresh_token })).status).toBe(400)
  expect((await world.signIn(mia.email)).status).toBe(400)
  const members = (await olga.get('/api/v1/organisation-users')).data<{ user_id: string }[]>()
  expect(members.map(({ user_id }) => user_id)).toEqual([olga.id])
  expect((await olga.get(`/api/v1/success-plans/${plan}`)).data()).toMatchObject({
    owner_id: olga.id,
  })
  const stored = await world.database.system(async (tx) =>
    JSON.stringify(await tx.selectFrom('users').selectAll().where('id', '=', mia.id).execute()),
  )
  expect(stored).not.toMatch(/mia/i)
  const body = {
    name: 'Mia again',
    email: mia.email,
    password: 'a better password',
    password_confirmation: 'a better password',
  }
  expect((await world.call('POST', '/api/v1/register', { body })).status).toBe(201)
})

test('a deleted account leaves no invitation to its proven address', async () => {
  const INVITES = '/api/v1/organisation-invites'
  const other = await world.createOwner('Otto')
  await other.post(INVITES, { email: mia.email })
  const [, token] = /#invite_token=([\w-]+)$/m.exec(world.mails.at(-1)?.text ?? '') ?? []
  expect((await mia.post(`${INVITES}/accept`, { token })).status).toBe(200)
  const third = await world.createOwner('Third')
  await third.post(INVITES, { email: mia.email })
  // Someone else’s account with an address does nothing to the invitations of its owner.
  const invited = await world.createUser('Nora')
  await third.post(INVITES, { email: invited.email })
  for (const person of [mia, invited]) expect((await remove(person)).status).toBe(204)
  const addresses = async (by: ApiUser) =>
    (await by.get(INVITES)).data<{ email: string }[]>().map(({ email }) => email)
  expect(await addresses(other)).toEqual([])
  expect(await addresses(third)).toEqual([invited.email])
})

test('the owner of an organisation has to delete it first', async () => {
  expect((await remove(olga)).statusAndBody).toEqual({
    status: 403,
    body: {
      message: 'You own “Olga’s organisation”. Delete what you own first, in its settings.',
    },
  })
  expect((await olga.get('/api/v1/userinfo')).status).toBe(200)
  // Also where the owner is a member elsewhere: nothing has ended.
  await mia.post('/api/v1/organisations', { id: uuidv7(), name: 'Own' })
  expect((await remove()).status).toBe(403)
  const members = (await olga.get('/api/v1/organisation-users')).data<unknown[]>()
  expect(members).toHaveLength(2)
})

/** The server, at which `meanwhile` is done before or after a transaction that writes in an organisation. */
function appWith(when: 'before' | 'after', meanwhile: (count: number) => Promise<unknown>) {
  const { database } = world
  let count = 0
  const slow: Database = {
    ...database,
    async tenant(...call) {
      const isWrite = call[3] === 'write'
      if (isWrite) count += 1
      if (isWrite && when === 'before') await meanwhile(count)
      const done = await database.tenant(...call)
      if (isWrite && when === 'after') await meanwhile(count)
      return done
    },
  }
  return world.appWith({ database: slow })
}

test('an organisation that is made while the account is being deleted keeps its owner', async () => {
  const id = uuidv7()
  // The memberships are ended one by one: another device makes an organisation after the first.
  const app = appWith('after', async (count) => {
    if (count === 1) await mia.post('/api/v1/organisations', { id, name: 'Just made' })
  })
  const answer = await remove(mia.atApp(app))
  expect(answer.status).toBe(403)
  expect(answer.text).toContain('Just made')
  expect((await mia.get(`/api/v1/organisations/${id}`)).data()).toMatchObject({ user_id: mia.id })
})

const membersOf = async (owner: ApiUser) =>
  (await owner.get('/api/v1/organisation-users'))
    .data<{ user_id: string }[]>()
    .map(({ user_id }) => user_id)

test('an organisation that is joined while the account is being deleted is left as well', async () => {
  const otto = await world.createOwner('Otto')
  await otto.post('/api/v1/organisation-invites', { email: mia.email, role: 'admin' })
  const [, token] = /#invite_token=([\w-]+)$/m.exec(world.mails.at(-1)?.text ?? '') ?? []
  const app = appWith('after', async (count) => {
    if (count > 1) return
    const joined = await mia.post('/api/v1/organisation-invites/accept', { token })
    expect(joined.status).toBe(200)
  })
  expect((await remove(mia.atApp(app))).status).toBe(204)
  expect(await membersOf(otto)).toEqual([otto.id])
  expect(await membersOf(olga)).toEqual([olga.id])
})

test('an account that joins an organisation again and again is not deleted', async () => {
  const app = appWith('after', async () => {
    if (!(await membersOf(olga)).includes(mia.id))
      await world.addMember(mia, olga.organisation, 'member')
  })
  const answer = await remove(mia.atApp(app))
  expect(answer.status).toBe(503)
  expect(answer.headers.get('Retry-After')).toBe('10')
  expect((await mia.get('/api/v1/userinfo')).data()).toMatchObject({ name: 'Mia' })
})

test.for([1, 2])(
  'a session that ends before the deletion leaves organisation %i leaves neither that one nor another',
  async (ended) => {
    const otto = await world.createOwner('Otto')
    await world.addMember(mia, otto.organisation, 'member')
    const app = appWith('before', async (count) => {
      if (count === ended) await endSignIns(world.database, { email: mia.email }, world.now)
    })
    expect((await remove(mia.atApp(app))).statusAndBody).toEqual({
      status: 401,
      body: { message: 'Unauthenticated.' },
    })
    const members = [...(await membersOf(olga)), ...(await membersOf(otto))]
    expect(members.filter((id) => id === mia.id)).toHaveLength(3 - ended)
  },
)

test('deleting an account needs a fresh sign-in', async () => {
  world.advance({ minutes: 11 })
  expect((await remove()).json).toMatchObject({ code: 'reauthentication_required' })
  await mia.post('/api/v1/reauthenticate', { current_password: PASSWORD })
  expect((await remove()).status).toBe(204)
})
