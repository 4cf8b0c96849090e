// The event stream of versions: its events, its access control, and how it ends. Over a real connection.
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { getRequestListener } from '@hono/node-server'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { v7 as uuidv7 } from 'uuid'
import type { Tokens } from '../../../contract/schemas/people.ts'
import { createTokenService, TOKEN_LIFETIMES } from '../../../server/auth/tokens.ts'
import type { StreamOwner } from '../../../server/http/sync/open-stream.ts'
import { purgeExpired } from '../../../server/jobs/purge.ts'
import { streamAccess } from '../../../server/routes/events.ts'
import { waitFor } from '../../wait-for.ts'
import { ApiFixture, PASSWORD, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let mia: ApiUser
let outsider: ApiUser
let server: Server
/** Heartbeats minutes apart: a stream that ends earlier was ended by an event. */
let quiet: Server
const closing = new AbortController()
const streams: Listener[] = []
beforeAll(async () => {
  world = await ApiFixture.open({ closing: closing.signal, heartbeatMs: 50 })
  mia = await world.createOwner('Mia')
  outsider = await world.createOwner('Outsider')
  server = await serve(world.app)
  quiet = await serve(world.appWith({ heartbeatMs: 600_000 }))
})
async function serve(app: typeof world.app): Promise<Server> {
  const respond = getRequestListener(app.fetch)
  const serving = createServer((incoming, outgoing) => void respond(incoming, outgoing))
  await new Promise<void>((resolve) => serving.listen(0, '127.0.0.1', resolve))
  return serving
}
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.hangUp()
})
afterAll(async () => {
  for (const one of [server, quiet]) {
    one.closeAllConnections()
    one.close()
  }
  await world.close()
})

interface VersionEvent {
  version: number
  organisation_id?: string
  previous?: number
  data?: Record<string, { id: string }[]>
}

/** Reads a stream event by event. */
class Listener {
  readonly response: Response
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #hangUp: AbortController
  #text = ''

  constructor(response: Response, hangUp: AbortController) {
    if (!response.body) throw new Error('There is no stream.')
    this.response = response
    this.#reader = response.body.getReader()
    this.#hangUp = hangUp
  }

  /** The next event or heartbeat; undefined when the stream has ended. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const event = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        return event
      }
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#text += new TextDecoder().decode(value)
    }
  }

  /** The next event that is no heartbeat. */
  async event(): Promise<VersionEvent> {
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      const [, data] = /^event: version\ndata: (\{.*\})$/.exec(event) ?? []
      if (data !== undefined) return JSON.parse(data) as VersionEvent
      expect(event).toBe(':')
    }
    throw new Error('The stream has ended.')
  }

  /** The version of the next event. */
  async version(): Promise<number> {
    return (await this.event()).version
  }

  /** Reads to the end; rejects when the stream does not end. */
  async end(): Promise<void> {
    while ((await this.next()) !== undefined);
  }

  async hangUp() {
    this.#hangUp.abort()
    await this.#reader.closed.catch(() => undefined)
  }
}

const listen = async (person: ApiUser, from = server): Promise<Listener> => {
  const hangUp = new AbortController()
  const { port } = from.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/events`, {
    signal: hangUp.signal,
    headers: {
      Authorization: `Bearer ${person.tokens.access_token}`,
      'X-organisation': person.organisation,
      'Accept-Encoding': 'gzip, br',
    },
  })
  const stream = new Listener(response, hangUp)
  streams.push(stream)
  return stream
}
const versionOf = async (person: ApiUser) =>
  (await person.get('/api/v1/changes?since=0')).json.version as number

test('a stream begins with the present version, unbuffered and uncompressed', async () => {
  const stream = await listen(mia)
  const { headers } = stream.response
  expect(headers.get('Content-Type')).toBe('text/event-stream')
  expect(headers.get('Content-Encoding')).toBeNull()
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(headers.get('X-Accel-Buffering')).toBe('no')
  expect(await stream.version()).toBe(await versionOf(mia))
})

test('each committed write is published to all devices, a rejected one is not', async () => {
  const [phone, laptop] = [await listen(mia), await listen(mia)]
  const before = await phone.version()
  await laptop.version()
  expect((await mia.post('/api/v1/success-plans', { title: '' })).status).toBe(422)
  await mia.createPlan()
  const after = await versionOf(mia)
  expect(after).toBeGreaterThan(before)
  expect(await phone.version()).toBe(after)
  expect(await laptop.version()).toBe(after)
})

test('an event has the changes since the one before, as `changes` answers them', async () => {
  const stream = await listen(mia, quiet)
  let event = await stream.event()
  let [before, plan] = [0, '']
  // A version that a read saw before its commit was published comes without changes: the reads that open a stream
  // may see the first ones.
  while (!event.data) {
    before = event.version
    plan = await mia.createPlan()
    event = await stream.event()
  }
  const { json } = await mia.get(`/api/v1/changes?since=${before}`)
  const changed = Object.entries(json.data as Record<string, unknown[]>).filter(
    ([name, records]) => name === 'deleted' || records.length > 0,
  )
  expect(event).toEqual({
    version: before + 1,
    organisation_id: mia.organisation,
    previous: before,
    data: Object.fromEntries(changed),
  })
  expect(event.data?.success_plans?.map(({ id }) => id)).toEqual([plan])
  const remove = async () => {
    await mia.call('DELETE', `/api/v1/success-plans/${plan}`)
    return stream.event()
  }
  let deletion = await remove()
  while (!deletion.data) {
    plan = await mia.createPlan()
    await stream.event()
    deletion = await remove()
  }
  expect(deletion.data).toEqual({ deleted: [{ type: 'success_plans', id: plan }] })
})

test('an event of many changes, and of large ones, has only the version', async () => {
  const stream = await listen(mia, quiet)
  await stream.version()
  const plan = await mia.createPlan()
  await stream.version()
  const path = `/api/v1/success-plans/${plan}/updates`
  const large = 'x'.repeat(5_000)
  await Promise.all([1, 2, 3, 4].map(() => mia.post(path, { body: large })))
  const newest = await versionOf(mia)
  let [received, size] = [0, 0]
  while (received < newest) {
    const event = await stream.event()
    received = event.version
    size = Math.max(size, JSON.stringify(event).length)
  }
  expect(size).toBeLessThan(16_384)
  const initiatives = Array.from({ length: 20 }, (_, index) => ({ title: `Step ${index}` }))
  const template = await mia.post('/api/v1/templates', {
    title: 'Many steps',
    duration_days: 30,
    initiatives: initiatives.map((one) => ({
      ...one,
      start_offset_days: 0,
      end_offset_days: 30,
      actions: [],
    })),
  })
  expect(template.status).toBe(201)
  await stream.version()
  const template_id = (template.json.data as { id: string }).id
  await mia.createPlan({ template_id, start_date: '2026-01-01' })
  expect(await stream.event()).toEqual({ version: await versionOf(mia) })
})

test('a burst of writes ends with the newest version', async () => {
  const stream = await listen(mia)
  await stream.version()
  await Promise.all(Array.from({ length: 20 }, () => mia.createPlan()))
  const newest = await versionOf(mia)
  let received = 0
  while (received < newest) received = await stream.version()
  expect(received).toBe(newest)
})

test('writes of other organisations are not published', async () => {
  const stream = await listen(outsider)
  const own = await stream.version()
  await mia.createPlan()
  // After two heartbeats, any event would have arrived.
  expect(await stream.next()).toBe(':')
  expect(await stream.next()).toBe(':')
  await outsider.createPlan()
  expect(await stream.version()).toBe(own + 1)
})

const WITH_NEW = { password: 'a better password', password_confirmation: 'a better password' }

type Ending = (who: { jonas: ApiUser; session: ApiUser; id: string }) => Promise<unknown>

test.each<[string, Ending]>([
  [
    'a sign-out',
    ({ session: { tokens } }) =>
      world.call('POST', '/api/v1/revoke', { body: { refresh_token: tokens.refresh_token } }),
  ],
  ['the end of all others', ({ jonas }) => jonas.call('DELETE', '/api/v1/sign-ins')],
  ['the end of this one', ({ jonas, id }) => jonas.call('DELETE', `/api/v1/sign-ins/${id}`)],
  ['a lost device', ({ jonas, id }) => jonas.call('POST', `/api/v1/sign-ins/${id}/lost`)],
  [
    'a new password',
    ({ jonas }) => {
      const body = { current_password: PASSWORD, ...WITH_NEW }
      return jonas.call('PUT', '/api/v1/password', { body })
    },
  ],
  [
    'a password reset',
    async ({ jonas: { email } }) => {
      const before = world.mails.length
      await world.call('POST', '/api/v1/forgot-password', { body: { email } })
      await waitFor(() => expect(world.mails.length).toBe(before + 1))
      const [, token] = /#reset_token=([\w-]+)$/m.exec(world.mails.at(-1)?.text ?? '') ?? []
      await world.call('POST', '/api/v1/reset-password', { body: { token, ...WITH_NEW } })
    },
  ],
  [
    'a refresh token that is used again',
    async ({ session: { tokens } }) => {
      const refresh = async (refresh_token: string) =>
        (await world.token({ grant_type: 'refresh_token', refresh_token })).json as Tokens
      let { refresh_token } = tokens
      for (let times = 0; times < 3; times += 1) ({ refresh_token } = await refresh(refresh_token))
      await refresh(tokens.refresh_token)
    },
  ],
  ['the deletion of the account', ({ jonas }) => jonas.call('DELETE', '/api/v1/userinfo')],
])('a stream ends at once with the session that opened it: %s', async (_how, end) => {
  const user = await world.createUser('Jonas')
  const jonas = await world.addMember(user, mia.organisation, 'member')
  const session = jonas.withTokens((await world.signIn(jonas.email)).json as Tokens)
  const [id = ''] = session.tokens.revocation_secret?.split('.') ?? []
  const stream = await listen(session, quiet)
  await stream.version()
  await end({ jonas, session, id })
  await stream.end()
})

const DAY_MS = 86_400_000

test.each([
  ['has not been used for 60 days', 'last_used_at', 61],
  ['began 180 days ago', 'created_at', 181],
  ['was ended without a notification', 'revoked_at', 0],
] as const)(
  'a stream ends with the next heartbeat when its session %s',
  async (_how, name, days) => {
    const jonas = await world.addMember(await world.createUser('Jonas'), mia.organisation, 'member')
    const stream = await listen(jonas)
    await stream.version()
    const at = new Date(world.now.getTime() - days * DAY_MS).toISOString()
    await world.database.system((tx) =>
      tx
        .updateTable('token_families')
        .set({ [name]: at })
        .where('user_id', '=', jonas.id)
        .execute(),
    )
    await stream.end()
  },
)

test('what a write costs does not grow with the devices that listen', async () => {
  let reads = 0
  const { database } = world
  const counted = await serve(
    world.appWith({
      heartbeatMs: 600_000,
      database: {
        ...database,
        tenantSnapshot: (...all) => {
          reads += 1
          return database.tenantSnapshot(...all)
        },
      },
    }),
  )
  onTestFinished(() => {
    counted.closeAllConnections()
    counted.close()
  })
  const owner = await world.createOwner('Ona')
  const devices = await Promise.all(Array.from({ length: 20 }, () => listen(owner, counted)))
  const hear = () => Promise.all(devices.map((device) => device.version()))
  await hear()
  // All of them are checked before they get this one.
  await owner.createPlan()
  const [before = 0] = await hear()
  reads = 0
  await owner.createPlan()
  expect(new Set(await hear())).toEqual(new Set([before + 1]))
  // Once more for each of the two keys of a write, and where a version is read before its key.
  expect(reads).toBeLessThanOrEqual(4)
})

test('more devices listen than one statement has room for', async () => {
  const { database } = world
  const owners: StreamOwner[] = Array.from({ length: 33_000 }, () => ({
    user_id: uuidv7(),
    organisation_id: uuidv7(),
    family_id: uuidv7(),
  }))
  const [device] = await world.database.system((tx) =>
    tx.selectFrom('token_families').select('id').where('user_id', '=', mia.id).limit(1).execute(),
  )
  const own = {
    user_id: mia.id,
    organisation_id: mia.organisation,
    family_id: device?.id ?? '',
  }
  const tokens = createTokenService(database, {
    key: world.tokenKey,
    now: () => world.now,
    lifetimes: TOKEN_LIFETIMES,
  })
  const { findAllowed, readVersions } = streamAccess(database, tokens)
  expect(await findAllowed([...owners, own])).toEqual(new Set([own]))
  const organisations = [...owners, ...owners, own].map((one) => one.organisation_id)
  expect([...(await readVersions(organisations)).keys()]).toEqual([mia.organisation])
})

test('what listening costs at rest does not grow with devices and organisations', async () => {
  const { database } = world
  const calls = { auth: 0, system: 0, tenant: 0, tenantSnapshot: 0 }
  const counting = <T extends keyof typeof calls>(name: T) =>
    ((...all: Parameters<typeof database.auth>) => {
      calls[name] += 1
      return (database[name] as typeof database.auth)(...all)
    }) as (typeof database)[T]
  const counted = await serve(
    world.appWith({
      heartbeatMs: 200,
      database: {
        ...database,
        auth: counting('auth'),
        system: counting('system'),
        tenant: counting('tenant'),
        tenantSnapshot: counting('tenantSnapshot'),
      },
    }),
  )
  onTestFinished(() => {
    counted.closeAllConnections()
    counted.close()
  })
  const owners = await Promise.all(['Ula', 'Uma', 'Una'].map((name) => world.createOwner(name)))
  const devices = await Promise.all([...owners, ...owners].map((owner) => listen(owner, counted)))
  for (const device of devices) await device.version()
  // Each heartbeat asks once for all of them.
  const heartbeats = async (count: number) => {
    const until = calls.system + count
    await waitFor(() => expect(calls.system).toBeGreaterThanOrEqual(until))
  }
  // At first it is checked who may listen.
  for (let before = -1; before !== calls.tenantSnapshot;) {
    before = calls.tenantSnapshot
    await heartbeats(3)
  }
  Object.assign(calls, { auth: 0, system: 0, tenant: 0, tenantSnapshot: 0 })
  await heartbeats(4)
  const { auth, system, ...others } = calls
  expect(Math.abs(auth - system)).toBeLessThanOrEqual(1)
  expect(system).toBeLessThanOrEqual(5)
  expect(others).toEqual({ tenant: 0, tenantSnapshot: 0 })
})

test('a version whose notification was lost is sent with the next heartbeat', async () => {
  const { database } = world
  const deaf = await serve(
    world.appWith({
      heartbeatMs: 50,
      database: { ...database, changes: { subscribe: () => () => undefined } },
    }),
  )
  onTestFinished(() => {
    deaf.closeAllConnections()
    deaf.close()
  })
  const owner = await world.createOwner('Ulf')
  const stream = await listen(owner, deaf)
  const before = await stream.version()
  await owner.createPlan()
  expect(await stream.version()).toBeGreaterThan(before)
})

test('changes that are read before their commit is published go to no stream', async () => {
  const { database } = world
  const { changes } = database
  /** The notifications to this process that are still on their way. */
  const late: (() => void)[] = []
  let isLate = false
  const behind = await serve(
    world.appWith({
      heartbeatMs: 600_000,
      database: {
        ...database,
        changes: {
          subscribe: (key, listener) =>
            changes.subscribe(key, (version) => {
              if (isLate) late.push(() => listener(version))
              else listener(version)
            }),
        },
      },
    }),
  )
  onTestFinished(() => {
    behind.closeAllConnections()
    behind.close()
  })
  const owner = await world.createOwner('Ove')
  const member = await world.addMember(await world.createUser('Moa'), owner.organisation, 'member')
  const [theirs, hers] = [await listen(owner, behind), await listen(member, behind)]
  await Promise.all([theirs.version(), hers.version()])
  // Without them where it is read before its notification for a stream that was just opened.
  do await owner.createPlan()
  while ((await hers.event()).data === undefined)
  isLate = true
  const organisation_id = owner.organisation
  expect((await member.post('/api/v1/leave-organisation', { organisation_id })).status).toBe(204)
  await owner.createPlan()
  // The version is read again for a new stream.
  await listen(owner, behind)
  const version = await versionOf(owner)
  let event = await theirs.event()
  while (event.version !== version) event = await theirs.event()
  expect(event).toEqual({ version })
  // Her access has ended, and is looked up before a version without its notification is sent.
  await hers.end()
  isLate = false
  for (const tell of late) tell()
})

test('an unreachable database ends no stream', async () => {
  let isAway = false
  const { database } = world
  const failing = await serve(
    world.appWith({
      heartbeatMs: 600_000,
      database: {
        ...database,
        tenantSnapshot: (...all) =>
          isAway
            ? Promise.reject(new Error('The database is away.'))
            : database.tenantSnapshot(...all),
      },
    }),
  )
  onTestFinished(() => {
    failing.closeAllConnections()
    failing.close()
  })
  const stream = await listen(mia, failing)
  const before = await stream.version()
  isAway = true
  await mia.createPlan()
  isAway = false
  expect(await stream.version()).toBe(before + 1)
})

test('a stream outlives its access token as long as the session lives', async () => {
  const stream = await listen(mia)
  await stream.version()
  world.advance({ minutes: 16 })
  expect(await stream.next()).toBe(':')
  expect(await stream.next()).toBe(':')
  const { access_token } = (await world.signIn(mia.email)).json as { access_token: string }
  mia = mia.withTokens({ ...mia.tokens, access_token })
})

test('a stream outlives the hourly deletion of access tokens, and not its session', async () => {
  let looks = 0
  const { database } = world
  const counted: typeof database = {
    ...database,
    async auth(work) {
      const result = await database.auth(work)
      looks += 1
      return result
    },
  }
  const serving = await serve(world.appWith({ database: counted, heartbeatMs: 50 }))
  onTestFinished(() => {
    serving.closeAllConnections()
    serving.close()
  })
  const session = await world.createOwner('Pia')
  const stream = await listen(session, serving)
  await stream.version()
  world.advance({ minutes: 16 })
  mia = mia.withTokens((await world.signIn(mia.email)).json as Tokens)
  await purgeExpired(database, world.now)
  const before = looks
  // The first one may have begun before the deletion.
  await expect.poll(() => looks).toBeGreaterThan(before + 1)
  const again = session.withTokens((await world.signIn(session.email)).json as Tokens)
  await again.createPlan()
  await stream.version()
  const { refresh_token } = session.tokens
  await world.call('POST', '/api/v1/revoke', { body: { refresh_token } })
  await stream.end()
  expect((await again.get('/api/v1/userinfo')).status).toBe(200)
})

test('a stream ends at once, though its session ends while the access to it is looked up', async () => {
  const looks: PromiseWithResolvers<void>[] = []
  const { database } = world
  const held: typeof database = {
    ...database,
    auth: async (...work) => {
      const result = await database.auth(...work)
      const look = Promise.withResolvers<void>()
      looks.push(look)
      await look.promise
      return result
    },
  }
  const serving = await serve(world.appWith({ database: held, heartbeatMs: 600_000 }))
  const session = mia.withTokens((await world.signIn(mia.email)).json as Tokens)
  // One look opens the stream, as the token is new, and one checks it.
  const opened = listen(session, serving)
  await expect.poll(() => looks.length).toBe(1)
  looks[0]?.resolve()
  const stream = await opened
  await stream.version()
  await expect.poll(() => looks.length).toBe(2)
  const { refresh_token } = session.tokens
  await world.call('POST', '/api/v1/revoke', { body: { refresh_token } })
  for (const look of looks) look.resolve()
  await expect.poll(() => looks.length).toBe(3)
  looks[2]?.resolve()
  await stream.end()
  serving.closeAllConnections()
  serving.close()
})

test('a stream ends at once when the membership or the organisation ends', async () => {
  const owner = await world.createOwner('Otto')
  const member = await world.addMember(await world.createUser('Max'), owner.organisation, 'member')
  const [theirs, his] = [await listen(owner, quiet), await listen(member, quiet)]
  await theirs.version()
  await his.version()
  const organisation_id = owner.organisation
  expect((await member.post('/api/v1/leave-organisation', { organisation_id })).status).toBe(204)
  await his.end()
  const path = `/api/v1/organisations/${owner.organisation}`
  const deletion = await owner.call('DELETE', path, { body: { name: 'Otto’s organisation' } })
  expect(deletion.status).toBe(204)
  await theirs.end()
})

test('a user can open at most twenty streams', async () => {
  const many = await world.createOwner('Many')
  for (let count = 0; count < 20; count += 1) await listen(many)
  const refused = await many.get('/api/v1/events')
  expect(refused.statusAndBody).toEqual({
    status: 429,
    body: { message: 'Too many open streams. Please close some.' },
  })
  for (const stream of streams.splice(0)) await stream.hangUp()
  // The server notices the disconnect a moment later.
  let status = 429
  while (status === 429) ({ status } = (await listen(many)).response)
  expect(status).toBe(200)
})

test('an organisation’s streams are limited, without a limit for others', async () => {
  const app = world.appWith({ streamLimits: { perUser: 20, perOrganisation: 3 } })
  const limited = await serve(app)
  onTestFinished(() => {
    limited.closeAllConnections()
    limited.close()
  })
  const owner = await world.createOwner('Olga')
  const member = await world.addMember(await world.createUser('Mel'), owner.organisation, 'member')
  for (const person of [owner, owner, member])
    expect((await listen(person, limited)).response.status).toBe(200)
  const refused = await member.atApp(app).get('/api/v1/events')
  expect(refused.statusAndBody).toEqual({
    status: 429,
    body: { message: 'Too many open streams. Please close some.' },
  })
  expect(refused.headers.get('Retry-After')).toBe('60')
  const other = await world.createOwner('Ole')
  expect((await listen(other, limited)).response.status).toBe(200)
})

test('HEAD opens no stream', async () => {
  const { port } = server.address() as AddressInfo
  const { tokens, organisation } = await world.createOwner('Head')
  const head = await fetch(`http://127.0.0.1:${port}/api/v1/events`, {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${tokens.access_token}`, 'X-organisation': organisation },
  })
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
})

test('streams end when the server stops', async () => {
  const stream = await listen(mia)
  await stream.version()
  closing.abort()
  await stream.end()
  const late = await listen(mia)
  await late.end()
})
