// Half of a write, or an error, after a conflict with another transaction. PostgreSQL may report one at any
// statement; the transaction is void then, and is run again.
import type { KyselyPlugin } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../server/database/database.ts'
import { ApiFixture, type ApiResponse, type ApiUser } from '../fixtures/api-fixture.ts'
import { waitFor } from '../../wait-for.ts'

let world: ApiFixture
let mia: ApiUser
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 30 * 86_400 } })
  mia = await world.createOwner('Mia')
})
afterAll(() => world.close())

/** The database, in which the statement of that number meets a conflict instead of taking effect. */
function meetingConflict(number: number) {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      count += 1
      if (count === number) throw Object.assign(new Error('A conflict.'), { code: '40001' })
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const { database } = world
  const conflicting: Database = {
    ...database,
    tenant: (id, work, ...rest) =>
      database.tenant(id, (tx, found) => work(tx.withPlugin(plugin), found), ...rest),
    auth: (work) => database.auth((tx) => work(tx.withPlugin(plugin))),
  }
  return { app: world.appWith({ database: conflicting }), isMet: () => count >= number }
}

type App = typeof world.app

/** Sends one request after the other, each with a conflict one statement later, until one meets none. */
async function atEachStatement<T>(
  prepare: () => Promise<T>,
  send: (app: App, prepared: T) => Promise<ApiResponse>,
  check: (prepared: T, answer: ApiResponse) => Promise<void>,
) {
  for (let number = 1; ; number += 1) {
    const prepared = await prepare()
    const { app, isMet } = meetingConflict(number)
    const answer = await send(app, prepared)
    expect(answer.text, `Conflict at statement ${number}`).not.toContain('message')
    await check(prepared, answer)
    if (!isMet()) {
      expect(number).toBeGreaterThan(3)
      return
    }
  }
}

test('a new initiative is stored', async () => {
  await atEachStatement(
    async () => uuidv7(),
    (app, id) => mia.atApp(app).post('/api/v1/initiatives', { id, title: 'Step' }),
    async (id) => {
      expect((await mia.get(`/api/v1/initiatives/${id}`)).data()).toMatchObject({ title: 'Step' })
    },
  )
})

test('each operation of a batch takes effect once, at the latest when it is repeated', async () => {
  let rolledBack = 0
  for (let number = 1; ; number += 1) {
    const plan = await mia.createPlan()
    world.advance({ minutes: 1 })
    const texts = ['One', 'Two', 'Three']
    const operations = texts.map((body) => ({
      key: uuidv7(),
      lane: plan,
      method: 'POST',
      path: `/api/v1/success-plans/${plan}/updates`,
      body: { body },
    }))
    const send = async (app: App) => {
      const answer = await mia.atApp(app).post('/api/v1/batch', { operations })
      return answer.data<{ status: number }[]>().map(({ status }) => status)
    }
    const { app, isMet } = meetingConflict(number)
    const statuses = await send(app)
    if (statuses.includes(503)) rolledBack += 1
    const expected = statuses.includes(503) ? [503, 503, 503] : [201, 201, 201]
    expect(statuses, `Conflict at ${number}`).toEqual(expected)
    expect(await send(world.app), `Conflict at ${number}`).toEqual([201, 201, 201])
    const path = `/api/v1/success-plans/${plan}/updates?sort=created_at`
    const posted = (await mia.get(path)).data<{ body: string }[]>().map(({ body }) => body)
    expect(posted.toSorted()).toEqual(texts.toSorted())
    if (!isMet()) {
      expect(number).toBeGreaterThan(3 * texts.length)
      // Two statements write for all operations, after each was done: a conflict there is repeated by the device.
      expect(rolledBack).toBe(2)
      return
    }
  }
})

test('consents are changed', async () => {
  let digest = 'weekly'
  const url = '/api/v1/notification-consents'
  await atEachStatement(
    async () => (digest = digest === 'daily' ? 'weekly' : 'daily'),
    (app) => mia.atApp(app).call('PUT', url, { body: { digest } }),
    async () => expect((await mia.get(url)).data()).toMatchObject({ digest }),
  )
})

test('a user who may no longer invite leaves no invitation', async () => {
  await atEachStatement(
    async () => {
      const joined = await world.verify(await world.createUser('Ada'))
      const admin = await world.addMember(joined, mia.organisation, 'admin')
      const email = `${uuidv7()}@example.com`
      await admin.post('/api/v1/organisation-invites', { email })
      return { admin, email }
    },
    (app, { admin }) =>
      mia.atApp(app).call('PUT', `/api/v1/organisation-users/${admin.id}`, {
        body: { user_id: admin.id, role: 'member' },
      }),
    async ({ email }) => {
      expect((await mia.get('/api/v1/organisation-invites')).text).not.toContain(email)
    },
  )
})

test('a mailed link that sets the first proven password tells what it ended', async () => {
  await atEachStatement(
    async () => {
      const { email } = await world.createUser('Ben')
      await world.call('POST', '/api/v1/forgot-password', { body: { email } })
      await waitFor(() => expect(world.mails.at(-1)?.to).toBe(email))
      const [, token] = /#reset_token=([\w-]+)$/m.exec(world.mails.at(-1)?.text ?? '') ?? []
      world.advance({ minutes: 16 })
      return { email, token }
    },
    (app, { token }) => {
      const password = 'a better password'
      const body = { token, password, password_confirmation: password }
      return world.call('POST', '/api/v1/reset-password', { body }, app)
    },
    async ({ email }) => {
      const subjects = world.mails.filter(({ to }) => to === email).map(({ subject }) => subject)
      expect(subjects).toEqual(['Set a new password', 'Your email address is confirmed'])
    },
  )
})
