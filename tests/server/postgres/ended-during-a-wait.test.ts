// A session, a membership or an organisation ends at one process while a call waits at another for the lock of the
// organisation: the call reads its access as it was before and takes effect, or it meets an error of the server.
import { sql, type KyselyPlugin, type RawBuilder } from 'kysely'
import { v4 as uuidv4 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { deleteUser } from '../../../server/domain/account-deletion.ts'
import { ApiFixture, PASSWORD, type ApiResponse, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

const waiting = () =>
  world.database.system(async (tx) => {
    const found = sql`select from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted`
    return (await found.execute(tx)).rows.length
  })

/** Makes `call` wait for the lock of the organisation at another process, which does `change` and commits. */
async function during<T>(
  { id, organisation }: ApiUser,
  change: (membership: RawBuilder<unknown>) => RawBuilder<unknown>,
  call: () => Promise<T>,
): Promise<T> {
  const isSent = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const other = world.database.system(async (tx) => {
    await tx
      .updateTable('organisations')
      .set((row) => ({ version: row('version', '+', 1) }))
      .where('id', '=', organisation)
      .execute()
    isLocked.resolve()
    await isSent.promise
    await expect.poll(waiting).toBe(1)
    await change(sql`organisation_id = ${organisation} and user_id = ${id}`).execute(tx)
  })
  await isLocked.promise
  const called = call()
  isSent.resolve()
  // It may fail before the other one has ended.
  const [result] = await Promise.all([called, other])
  return result
}

const demotion = (membership: RawBuilder<unknown>) =>
  sql`update organisation_users set role = 'member' where ${membership}`
const removal = (membership: RawBuilder<unknown>) =>
  sql`delete from organisation_users where ${membership}`

/** An admin of an organisation of someone else. */
async function createAdmin() {
  const owner = await world.createOwner('Olga')
  return {
    owner,
    admin: await world.addMember(await world.createUser('Ada'), owner.organisation, 'admin'),
  }
}

test('an admin who is demoted while a call waits does not become an admin again', async () => {
  const { admin } = await createAdmin()
  const answer = await during(admin, demotion, () =>
    admin.call('PUT', `/api/v1/organisation-users/${admin.id}`, {
      body: { user_id: admin.id, role: 'admin' },
    }),
  )
  expect(answer.status, answer.text).toBe(403)
})

type Update = { path: string; body: { body: string } }
type Write = (member: ApiUser, update: Update) => Promise<ApiResponse>
const writes: Record<'a call' | 'a batch', Write> = {
  'a call': (member, { path, body }) => member.post(path, body),
  'a batch': (member, update) => {
    const operation = { key: uuidv4(), lane: 'plan', method: 'POST', ...update }
    return member.post('/api/v1/batch', { operations: [operation] })
  },
}

test.each(Object.entries(writes))(
  'a member who is removed while %s waits writes nothing',
  async (_name, write) => {
    const { owner, admin } = await createAdmin()
    const path = `/api/v1/success-plans/${await owner.createPlan()}/updates`
    const update = { path, body: { body: 'Too late' } }
    const answer = await during(admin, removal, () => write(admin, update))
    expect((await owner.get(path)).data(), answer.text).toEqual([])
  },
)

const endOfSession = ({ id }: ApiUser) =>
  sql`update token_families set revoked_at = now() where user_id = ${id}`

test.each(Object.entries(writes))(
  'a member whose session ends while %s waits writes nothing',
  async (_name, write) => {
    const { owner, admin } = await createAdmin()
    const path = `/api/v1/success-plans/${await owner.createPlan()}/updates`
    const update = { path, body: { body: 'Too late' } }
    // Known before: an unknown token is looked up first.
    expect((await admin.get(path)).status).toBe(200)
    const end = () => endOfSession(admin)
    const answer = await during(admin, end, () => write(admin, update))
    expect((await owner.get(path)).data(), answer.text).toEqual([])
  },
)

test('a member whose session ends while an operation of a batch waits to run again writes nothing', async () => {
  const { owner, admin } = await createAdmin()
  const path = `/api/v1/success-plans/${await owner.createPlan()}/updates`
  expect((await admin.get(path)).status).toBe(200)
  let conflicts = 0
  const conflict: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind !== 'InsertQueryNode' || conflicts > 0) return node
      conflicts += 1
      throw Object.assign(new Error('A conflict.'), { code: '40001' })
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const { database } = world
  const conflicting: Database = {
    ...database,
    tenant(id, work, ...rest) {
      const call = () =>
        database.tenant(id, (tx, found) => work(tx.withPlugin(conflict), found), ...rest)
      return conflicts === 0 ? call() : during(admin, () => endOfSession(admin), call)
    },
  }
  const app = world.appWith({ database: conflicting })
  const write = writes['a batch']
  const answer = await write(admin.atApp(app), { path, body: { body: 'Too late' } })
  expect(conflicts).toBe(1)
  expect(answer.data()).toMatchObject([{ status: 401 }])
  expect((await owner.get(path)).data()).toEqual([])
})

test('an account is deleted whose user is removed from an organisation meanwhile', async () => {
  const { admin } = await createAdmin()
  const deletion = () =>
    deleteUser(world.database, admin.id, {
      now: world.now,
      rejectOwner: () => expect.unreachable('The user owns nothing.'),
    })
  await during(admin, removal, deletion)
  expect((await world.signIn(admin.email)).status).toBe(400)
})

/** Calls of someone who is invited, with the token of the invitation. */
const acceptances: Record<
  string,
  (email: string, token: string) => Promise<() => Promise<ApiResponse>>
> = {
  'of a user': async (email, token) => {
    const user = await world.createUser('Nora')
    const change = sql`update users set email = ${email} where id = ${user.id}`
    await world.database.system((tx) => change.execute(tx))
    return () => user.post('/api/v1/organisation-invites/accept', { token })
  },
  'of a new user': async (email, token) => {
    const body = { name: 'Nora', email, password: PASSWORD, password_confirmation: PASSWORD }
    return () => world.call('POST', '/api/v1/register', { body: { ...body, invite_token: token } })
  },
}

test.each(Object.entries(acceptances))(
  'the acceptance %s of an invitation into an organisation that is deleted meanwhile is refused',
  async (_name, prepare) => {
    const owner = await world.createOwner('Olga')
    const email = `${uuidv4()}@example.com`
    await owner.post('/api/v1/organisation-invites', { email })
    const [, token = ''] = /invite_token=(\S+)/.exec(world.mails.at(-1)?.text ?? '') ?? []
    const accept = await prepare(email, token)
    const deletion = () => sql`delete from organisations where id = ${owner.organisation}`
    const answer = await during(owner, deletion, accept)
    expect([404, 422], answer.text).toContain(answer.status)
    expect(answer.text).toContain('This link is no longer valid.')
  },
)

test('a name is changed whose user is in an organisation that is deleted meanwhile', async () => {
  const { owner, admin } = await createAdmin()
  const deletion = () => sql`delete from organisations where id = ${owner.organisation}`
  const answer = await during(owner, deletion, () =>
    admin.call('PUT', '/api/v1/userinfo', { body: { name: 'Ada L.' } }),
  )
  expect(answer.statusAndBody).toMatchObject({ status: 200, body: { data: { name: 'Ada L.' } } })
})
