// Someone who is removed or demoted at one process writes once more at another, because the call has waited there for
// the lock of the organisation and reads the membership as it was before the wait.
import { sql } from 'kysely'
import { v4 as uuidv4 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture, type ApiResponse, type ApiUser } from '../fixtures/api-fixture.ts'

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

/** Does `call` while another process changes what `change` says of the membership, which it commits meanwhile. */
async function callDuring(
  { id, organisation }: ApiUser,
  change: 'demoted' | 'removed',
  call: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
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
    const membership = sql`organisation_id = ${organisation} and user_id = ${id}`
    await (
      change === 'demoted'
        ? sql`update organisation_users set role = 'member' where ${membership}`
        : sql`delete from organisation_users where ${membership}`
    ).execute(tx)
  })
  await isLocked.promise
  const called = call()
  isSent.resolve()
  await other
  return called
}

test('an admin who is demoted while a call waits does not become an admin again', async () => {
  const owner = await world.createOwner('Olga')
  const admin = await world.addMember(await world.createUser('Ada'), owner.organisation, 'admin')
  const answer = await callDuring(admin, 'demoted', () =>
    admin.call('PUT', `/api/v1/organisation-users/${admin.id}`, {
      body: { user_id: admin.id, role: 'admin' },
    }),
  )
  expect(answer.status, answer.text).toBe(403)
})

type Update = { path: string; body: { body: string } }
const writes: Record<string, (member: ApiUser, update: Update) => Promise<ApiResponse>> = {
  'a call': (member, { path, body }) => member.post(path, body),
  'a batch': (member, update) => {
    const operation = { key: uuidv4(), lane: 'plan', method: 'POST', ...update }
    return member.post('/api/v1/batch', { operations: [operation] })
  },
}

test.each(Object.entries(writes))(
  'a member who is removed while %s waits writes nothing',
  async (_name, write) => {
    const owner = await world.createOwner('Olga')
    const path = `/api/v1/success-plans/${await owner.createPlan()}/updates`
    const member = await world.addMember(await world.createUser('Mia'), owner.organisation, 'admin')
    const body = { body: 'Too late' }
    const answer = await callDuring(member, 'removed', () => write(member, { path, body }))
    expect((await owner.get(path)).data(), answer.text).toEqual([])
  },
)
