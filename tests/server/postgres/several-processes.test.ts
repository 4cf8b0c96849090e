// Several processes on one database: each may die at any moment, and all have the same state.
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { openPostgresDatabase } from '../../../server/database/database.ts'
import { DEMO_PASSWORD } from '../../../server/demo/stories.ts'
import { ServerProcess } from '../fixtures/server-process.ts'
import { CLIENT, PASSWORD } from '../fixtures/api-fixture.ts'
import { asSuperuser, newDatabase, urlsOf } from './databases.ts'
import { waitFor } from '../../wait-for.ts'
import { longTest } from '../../long-test.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const TOKEN_KEY = 'ab'.repeat(32)
const { folder: cluster } = inject('postgres') ?? { folder: '' }
let folder: string
let database: string
const children: ServerProcess[] = []
const start = (env: Record<string, string> = {}) => {
  const { url, ownerUrl } = urlsOf(cluster, database)
  const child = new ServerProcess(folder, {
    DATABASE_URL: url,
    DATABASE_OWNER_URL: ownerUrl,
    TOKEN_KEY,
    ...env,
  })
  children.push(child)
  return child
}
const startThree = () => Promise.all([start(), start(), start()].map((child) => child.ready()))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-processes-'))
  await mkdir(join(folder, 'dist'))
  await writeFile(join(folder, 'dist/index.html'), '<!doctype html>')
})
beforeEach(async () => {
  database = await newDatabase(cluster)
})
afterEach(async () => {
  for (const child of children.splice(0)) await child.stop('SIGKILL')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Headers = Record<string, string>

/** All pages of a plan's updates. */
async function updatesOf(server: ServerProcess, plan: string, headers: Headers) {
  const path = `/api/v1/success-plans/${plan}/updates?per_page=500`
  const { json } = await server.call('GET', path, undefined, headers)
  return json.data as { id: string; body: string }[]
}

test('a killed process’s clients continue at another, without loss or duplicates', async () => {
  const [first, second, third] = (await startThree()) as [
    ServerProcess,
    ServerProcess,
    ServerProcess,
  ]
  const headers = await first.register('mia@example.com')
  const plan = uuidv7()
  const body = { id: plan, title: 'Replayed', type: 'project' }
  await first.call('POST', '/api/v1/success-plans', body, headers)
  // The bodies have no ids, so only the key prevents duplicates.
  const operations = Array.from({ length: 200 }, (_, index) => ({
    key: uuidv4(),
    body: { body: `Update ${index}` },
  }))
  let confirmed = 0
  let repeated = 0
  const send = async (server: ServerProcess, { key, body }: (typeof operations)[number]) =>
    server.call('POST', `/api/v1/success-plans/${plan}/updates`, body, {
      ...headers,
      'Idempotency-Key': key,
    })
  /** As a device does: what is not answered, or is to be sent again later, is sent until it is confirmed. */
  async function deliver(operation: (typeof operations)[number], turn: number) {
    for (let server = turn % 3 === 2 ? third : second; ; server = first) {
      const answer = await send(server, operation).catch(() => undefined)
      if (answer?.status === 201) {
        confirmed += 1
        if (confirmed === 60) void second.stop('SIGKILL')
        return
      }
      repeated += 1
      // Another program may have taken the port of the second one.
      if (answer && server !== second)
        expect([409, 503], JSON.stringify(answer)).toContain(answer.status)
    }
  }
  const waiting = [...operations.entries()]
  const hand = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await deliver(next[1], next[0])
  }
  await Promise.all(Array.from({ length: 8 }, hand))
  expect(confirmed).toBe(200)
  expect(repeated).toBeGreaterThan(0)
  const bodies = (await updatesOf(third, plan, headers)).map((update) => update.body)
  expect(bodies.toSorted()).toEqual(operations.map((o) => o.body.body).toSorted())
})

test('a commit at one process is published to streams at another', async () => {
  const [first, second] = (await startThree()) as [ServerProcess, ServerProcess, ServerProcess]
  const headers = await first.register('mia@example.com')
  const stream = await fetch(`${second.url}/api/v1/events`, { headers })
  const reader = (stream.body ?? new ReadableStream<Uint8Array>()).getReader()
  const decoder = new TextDecoder()
  let output = ''
  const hear = async (version: number) => {
    while (!output.includes(`{"version":${version}`)) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`The stream has ended: ${output}`)
      output += decoder.decode(value)
    }
  }
  const { json } = await first.call('GET', '/api/v1/changes?since=0', undefined, headers)
  const before = json.version as number
  await hear(before)
  await first.call('POST', '/api/v1/success-plans', { title: 'T', type: 'project' }, headers)
  await hear(before + 1)
  // The LISTEN connection breaks and reconnects; no notification is missed.
  await asSuperuser(
    cluster,
    'postgres',
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = '${database}' and query like 'listen%'`,
  )
  await first.call('POST', '/api/v1/success-plans', { title: 'T', type: 'project' }, headers)
  await hear(before + 2)
  await reader.cancel()
})

test('a stream whose session ended while no notification arrived gets no later version', async () => {
  const [first, second] = (await startThree()) as [ServerProcess, ServerProcess, ServerProcess]
  const headers = await first.register('mia@example.com')
  const password = { grant_type: 'password', username: 'mia@example.com', password: PASSWORD }
  const { json: other } = await first.call('POST', '/oauth/token', { ...CLIENT, ...password })
  const { json } = await first.call('GET', '/api/v1/changes?since=0', undefined, headers)
  const before = json.version as number
  const stream = await fetch(`${second.url}/api/v1/events`, {
    headers: { ...headers, Authorization: `Bearer ${String(other.access_token)}` },
  })
  const reader = (stream.body ?? new ReadableStream<Uint8Array>()).getReader()
  await asSuperuser(
    cluster,
    'postgres',
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = '${database}' and query like 'listen%'`,
  )
  const { refresh_token } = other
  expect((await first.call('POST', '/api/v1/revoke', { refresh_token })).status).toBe(204)
  await first.call('POST', '/api/v1/success-plans', { title: 'T', type: 'project' }, headers)
  let output = ''
  for (let part = await reader.read(); !part.done; part = await reader.read())
    output += new TextDecoder().decode(part.value)
  expect(output).toContain(`{"version":${before}}`)
  expect(output).not.toContain(String(before + 1))
  expect(output).not.toContain('success_plans')
})

test('a session works and refreshes at every process', async () => {
  const [first, second, third] = (await startThree()) as [
    ServerProcess,
    ServerProcess,
    ServerProcess,
  ]
  const headers = await first.register('mia@example.com')
  expect((await second.call('GET', '/api/v1/userinfo', undefined, headers)).status).toBe(200)
  const client = { client_id: 'cairn-app', client_secret: 'cairn-app-is-public', scope: '' }
  const password = { username: 'mia@example.com', password: 'correct horse battery' }
  const grant = { ...client, grant_type: 'password', ...password }
  const { refresh_token } = (await first.call('POST', '/oauth/token', grant)).json
  const refresh = { ...client, grant_type: 'refresh_token', refresh_token }
  const answers = await Promise.all(
    [first, second, third].map((server) => server.call('POST', '/oauth/token', refresh)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ json }) => json.refresh_token)).size).toBe(1)
})

longTest('password attempts are counted across processes', async () => {
  const servers = (await startThree()) as [ServerProcess, ServerProcess, ServerProcess]
  await servers[0].register('mia@example.com')
  const guess = (turn: number, password: string) =>
    (servers[turn % 3] as ServerProcess).call('POST', '/oauth/token', {
      ...CLIENT,
      grant_type: 'password',
      username: 'mia@example.com',
      password,
    })
  const statuses: number[] = []
  for (let turn = 0; turn < 5; turn += 1) statuses.push((await guess(turn, 'wrong')).status)
  // Even the right password has to wait, in every process.
  for (let turn = 0; turn < 3; turn += 1) statuses.push((await guess(turn, PASSWORD)).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429])
})

longTest('three simultaneous starts create the schema and the demo once', async () => {
  database = `${database}_new`
  await asSuperuser(cluster, 'postgres', `create database ${database} owner cairn_owner`)
  const servers = [1, 2, 3].map(() => start({ DEMO_DATA: '1' }))
  await Promise.all(servers.map((server) => server.ready()))
  const [server] = servers
  const headers = await server?.signIn('mia@example.com', DEMO_PASSWORD)
  const { status, json } = (await server?.call(
    'GET',
    '/api/v1/organisations',
    undefined,
    headers,
  )) ?? { status: 0, json: {} }
  const names = (json.data as { name: string }[]).map(({ name }) => name)
  expect([status, names]).toEqual([200, ['Lumen Analytics', 'Oakline Advisory']])
})

test('a database role that could bypass row level security is rejected', async () => {
  await asSuperuser(cluster, 'postgres', 'drop role if exists cairn_too_free')
  await asSuperuser(cluster, 'postgres', 'create role cairn_too_free login bypassrls')
  const url = urlsOf(cluster, database).url.replace('cairn_app', 'cairn_too_free')
  const { code, output } = await start({ DATABASE_URL: url }).waitForExit()
  expect(code).toBe(1)
  expect(output).toBe(
    'The role cairn_too_free of DATABASE_URL can bypass row level security. Use one that is no superuser and has no BYPASSRLS.\n',
  )
})

test('one role can own the schema and serve requests, and is still bound by row level security', async () => {
  const { ownerUrl } = urlsOf(cluster, database)
  const server = await start({ DATABASE_URL: ownerUrl, DATABASE_OWNER_URL: '' }).ready()
  await server.register('mia@example.com')
  const opened = await openPostgresDatabase({ url: ownerUrl, ownerUrl })
  const seen = await opened.tenant(uuidv7(), (tx) =>
    tx.selectFrom('organisations').select('id').execute(),
  )
  await opened.close()
  expect(seen).toEqual([])
})

test.each<[Record<string, string>, RegExp]>([
  [{ TOKEN_KEY: '' }, /^TOKEN_KEY is missing: with DATABASE_URL all processes share one/],
  [{ TOKEN_KEY: 'abc' }, /^TOKEN_KEY must be 64 hexadecimal digits/],
  ...['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_LISTEN_URL'].map(
    (name): [Record<string, string>, RegExp] => [
      { [name]: 'postgres://unknown@localhost:1/none' },
      new RegExp(`^The database does not open with ${name}: .*ECONNREFUSED`),
    ],
  ),
])('an unusable configuration is reported in one line: %o', async (env, words) => {
  const { code, output } = await start(env).waitForExit()
  expect(code).toBe(1)
  expect(output).toMatch(words)
  expect(output.trim().split('\n')).toHaveLength(1)
})

test('the server reconnects to a restarted database, and confirmed writes are there', async () => {
  const server = await start().ready()
  const headers = await server.register('mia@example.com')
  const made = await server.call(
    'POST',
    '/api/v1/success-plans',
    { title: 'Kept', type: 'project' },
    headers,
  )
  expect(made.status).toBe(201)
  await asSuperuser(
    cluster,
    'postgres',
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`,
  )
  await waitFor(async () => {
    const { status, json } = await server.call('GET', '/api/v1/success-plans', undefined, headers)
    expect([status, (json.data as unknown[])?.length]).toEqual([200, 1])
  })
  const exited = once(server.process, 'exit')
  await server.stop('SIGTERM')
  expect((await exited)[0]).toBe(0)
})

test('an embedded backup restores into PostgreSQL, and a running PostgreSQL can be backed up', async () => {
  const COMMAND = join(import.meta.dirname, '../../../server/ops/backup-command.ts')
  const run = (env: Record<string, string>, ...parameters: string[]) => {
    const child = new ServerProcess(folder, env, [process.execPath, COMMAND, ...parameters])
    children.push(child)
    return child.waitForExit()
  }
  const embedded = new ServerProcess(folder, { DEMO_DATA: '1' })
  children.push(embedded)
  await embedded.ready()
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  expect(await run({}, 'backup', first)).toMatchObject({ code: 0 })
  const on = (name: string) => {
    const { url, ownerUrl } = urlsOf(cluster, name)
    return { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, TOKEN_KEY }
  }
  const moved = await run(on(database), 'restore', first)
  expect(moved.output).toMatch(/^\d+ rows restored\.\n$/)
  const server = await start().ready()
  const headers = await server.signIn('mia@example.com', DEMO_PASSWORD)
  expect((await server.call('GET', '/api/v1/organisations', undefined, headers)).status).toBe(200)
  expect(await run(on(database), 'backup', second)).toMatchObject({ code: 0 })
  const other = await newDatabase(cluster)
  const count = (text: string) => Number(/^\d+/.exec(text)?.[0])
  const copied = await run(on(other), 'restore', second)
  // The session that was opened in the meantime.
  expect(count(copied.output)).toBe(count(moved.output) + 3)
})
