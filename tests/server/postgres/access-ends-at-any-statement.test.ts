// A session, a passkey or another way into an account that outlasts the reset of its password or its deletion, because
// a call was between two of its statements when that began.
import { sql, type KyselyPlugin } from 'kysely'
import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Identity } from '../../../server/auth/google.ts'
import { createEmailLink } from '../../../server/auth/email-change.ts'
import { replacePassword } from '../../../server/auth/passwords/replace-password.ts'
import type { Database } from '../../../server/database/database.ts'
import { deleteUser } from '../../../server/domain/account-deletion.ts'
import type { PushQueue } from '../../../server/jobs/push-queue.ts'
import { waitFor } from '../../wait-for.ts'
import { ApiFixture, PASSWORD, type ApiResponse, type ApiUser } from '../fixtures/api-fixture.ts'
import { Authenticator } from '../fixtures/authenticator.ts'

const OWNERS = 'the hash of the password of the owner'

let world: ApiFixture
let identity: Identity
beforeAll(async () => {
  world = await ApiFixture.open()
})
afterAll(() => world.close())

interface Ending {
  of: (user: ApiUser) => Promise<unknown>
  /** What is left of the password. */
  password_hash: string | null
}
const endings: Record<string, Ending> = {
  'a reset of the password': {
    of: ({ id, email }) =>
      world.database.auth((tx) =>
        replacePassword(tx, { id, email }, { password_hash: OWNERS, at: world.now.toISOString() }),
      ),
    password_hash: OWNERS,
  },
  'the deletion of the account': {
    of: ({ id }) =>
      deleteUser(world.database, id, {
        now: world.now,
        rejectOwner: () => expect.unreachable('The user owns nothing.'),
      }),
    password_hash: null,
  },
}

/** Whether a transaction waits for another one. */
const isWaiting = () =>
  world.database.system(async (tx) => {
    const waiting = sql`select from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted`
    return (await waiting.execute(tx)).rows.length > 0
  })

/**
 * A server at which the access of the user ends after the statement of that number, as far as that gets. `idle`
 * resolves when no transaction is open, also of what a call does after its answer.
 */
function endAfter(number: number, end: () => Promise<unknown>) {
  let count = 0
  let open = 0
  let ending: Promise<unknown> | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      count += 1
      if (count !== number) return result
      let isDone = false
      ending = end().finally(() => (isDone = true))
      await waitFor(async () => expect(isDone || (await isWaiting())).toBe(true))
      return result
    },
  }
  const { database } = world
  const watched: Database = {
    ...database,
    auth(work) {
      open += 1
      return database.auth((tx) => work(tx.withPlugin(plugin))).finally(() => (open -= 1))
    },
  }
  const app = world.appWith({
    database: watched,
    google: () => Promise.resolve(identity),
    push: { isAllowedEndpoint: () => true } as Partial<PushQueue> as PushQueue,
  })
  return { app, ending: () => ending, idle: () => waitFor(() => expect(open).toBe(0)) }
}

/** What opens the account, or may open it later. */
const waysIn = ({ id }: ApiUser) =>
  world.database.auth(async (tx) => {
    const countOf = async (table: 'passkeys' | 'social_sign_ins' | 'push_subscriptions') =>
      (await tx.selectFrom(table).select('user_id').where('user_id', '=', id).execute()).length
    const sessions = tx.selectFrom('token_families').select('id').where('user_id', '=', id)
    const changes = tx.selectFrom('email_changes').select('email').where('user_id', '=', id)
    const user = tx.selectFrom('users').select('password_hash').where('id', '=', id)
    return {
      sessions: (await sessions.where('revoked_at', 'is', null).execute()).length,
      passkeys: await countOf('passkeys'),
      providers: await countOf('social_sign_ins'),
      notifications: await countOf('push_subscriptions'),
      addresses: (await changes.execute()).length,
      ...(await user.executeTakeFirstOrThrow()),
    }
  })

type App = typeof world.app

interface Ceremony {
  challenge: string
  rp_id: string
}

/** Prepares a call of a user, who is the owner or an intruder. */
const calls: Record<string, (user: ApiUser) => Promise<(app: App) => Promise<ApiResponse>>> = {
  'a sign-in with the password': async ({ email }) => {
    const parameters = { grant_type: 'password', username: email, password: PASSWORD }
    return (app) => world.token(parameters, app)
  },
  'a sign-in with a passkey': async (user) => {
    const authenticator = new Authenticator()
    const offer = (await user.post('/api/v1/passkey-offer', undefined)).json as unknown as Ceremony
    await user.post('/api/v1/passkeys', authenticator.create(offer))
    const asked = await world.call('POST', '/api/v1/passkey-sign-in')
    const credential = authenticator.get(asked.json as unknown as Ceremony)
    return (app) => world.token({ grant_type: 'passkey', credential }, app)
  },
  'a sign-in with a provider': async ({ id }) => {
    const subject = uuidv7()
    const email = `${subject}@example.com`
    const about = { provider: 'google' as const, subject, email }
    await world.database.auth((tx) =>
      tx
        .insertInto('social_sign_ins')
        .values({ ...about, user_id: id, created_at: world.now.toISOString() })
        .execute(),
    )
    const expires_at = new Date(world.now.getTime() + 60_000).toISOString()
    identity = { ...about, name: 'Gina Google', avatar_url: null, expires_at }
    const grant = { grant_type: 'social', provider: 'google', token: subject, nonce: 'n' }
    return (app) => world.token(grant, app)
  },
  'a refresh': async ({ tokens: { refresh_token } }) => {
    return (app) => world.token({ grant_type: 'refresh_token', refresh_token }, app)
  },
  'a new passkey': async (user) => {
    const offer = (await user.post('/api/v1/passkey-offer', undefined)).json as unknown as Ceremony
    const passkey = new Authenticator().create(offer)
    return (app) => user.atApp(app).post('/api/v1/passkeys', passkey)
  },
  'a device that subscribes to notifications': async (user) => {
    const keys = {
      p256dh: Buffer.concat([Buffer.of(4), randomBytes(64)]).toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
    }
    const subscription = { endpoint: `https://push.example.com/${uuidv7()}`, keys }
    return (app) => user.atApp(app).post('/api/v1/push-subscriptions', subscription)
  },
  'a change of the address': async (user) => {
    const body = { email: `${uuidv7()}@example.com` }
    return (app) => user.atApp(app).call('PUT', '/api/v1/userinfo', { body })
  },
  'a change of the password': async (user) => {
    const password = 'the password of an intruder'
    const body = { current_password: PASSWORD, password, password_confirmation: password }
    return (app) => user.atApp(app).call('PUT', '/api/v1/password', { body })
  },
}

const cases = Object.keys(calls).flatMap((call) =>
  Object.keys(endings).map((ending) => [call, ending] as const),
)

test.for(cases)(
  'nothing of %s outlasts %s that begins after any of its statements',
  async ([call, name]) => {
    const { of: end, password_hash } = endings[name] as Ending
    for (let number = 1; ; number += 1) {
      // Time passes, so that no earlier attempt counts.
      world.advance({ minutes: 16 })
      const user = await world.createUser('Mia')
      const send = await calls[call]?.(user)
      const { app, ending } = endAfter(number, () => end(user))
      const answer = (await send?.(app)) as ApiResponse
      const ended = ending()
      await ended
      if (!ended) {
        // The call does all of it where nothing comes between.
        expect(answer.status, answer.text).toBeLessThan(300)
        expect(number).toBeGreaterThan(3)
        return
      }
      expect(answer.status, answer.text).toBeLessThan(500)
      expect(await waysIn(user), `After statement ${number}: ${answer.text}`).toEqual({
        sessions: 0,
        passkeys: 0,
        providers: 0,
        notifications: 0,
        addresses: 0,
        password_hash,
      })
    }
  },
)

const linksOf = ({ id }: ApiUser) =>
  world.database.auth((tx) =>
    tx.selectFrom('password_resets').select('user_id').where('user_id', '=', id).execute(),
  )

test('no link for a new password outlasts a change of the address that it is mailed to', async () => {
  for (let number = 1; ; number += 1) {
    world.advance({ minutes: 61 })
    const user = await world.createUser('Mia')
    const { token } = await world.database.auth((tx) =>
      createEmailLink(tx, user.id, `${uuidv7()}@example.com`, world.now),
    )
    const confirm = async () => {
      const confirmed = await user.post('/api/v1/confirm-email', { token })
      expect(confirmed.status, confirmed.text).toBe(200)
    }
    const { app, ending, idle } = endAfter(number, confirm)
    const { email } = user
    await world.call('POST', '/api/v1/forgot-password', { body: { email } }, app)
    await idle()
    const ended = ending()
    await ended
    if (!ended) {
      expect(await linksOf(user)).toHaveLength(1)
      expect(number).toBeGreaterThan(3)
      return
    }
    expect(await linksOf(user), `After statement ${number}`).toEqual([])
  }
})
