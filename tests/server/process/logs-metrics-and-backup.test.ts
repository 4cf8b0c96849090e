// What an operator can see, and what must never appear in logs.
import { readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ServerProcess, newFolder } from '../fixtures/server-process.ts'
import { PAGE_VITALS } from '../../../contract/schemas/vitals.ts'
import { CLIENT, PASSWORD } from '../fixtures/api-fixture.ts'
import { waitFor } from '../../wait-for.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** In milliseconds: a backup is made and restored once, beside other tests. */
const BACKUP_WITHIN = 120_000

let folder: Awaited<ReturnType<typeof newFolder>>
const children: ServerProcess[] = []
const start = (env: Record<string, string> = {}) => {
  const child = new ServerProcess(folder.path, env)
  children.push(child)
  return child.ready()
}
beforeAll(async () => {
  folder = await newFolder()
})
beforeEach(() => folder.reset())
afterEach(async () => {
  for (const child of children.splice(0)) await child.stop('SIGKILL')
})
afterAll(() => folder.remove())

interface Line {
  event: string
  level: string
  request_id?: string
  route?: string
  status?: number
}
/** The JSON lines of its output. */
const linesOf = ({ output }: ServerProcess) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)

test('listening on all interfaces is logged as an address that can be opened', async () => {
  const server = await start({ HOST: '0.0.0.0' })
  expect(server.url).toMatch(/^http:\/\/localhost:\d+$/)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

test('each request is logged in one line with the response’s request id', async () => {
  const server = await start()
  const answer = await fetch(`${server.url}/api/v1/accounts/1?secret=words`)
  const request_id = answer.headers.get('X-Request-Id')
  const line = await waitFor(() => {
    const found = linesOf(server).filter((line) => line.request_id === request_id)
    expect(found).toHaveLength(1)
    return found[0]
  })
  expect(line).toMatchObject({
    level: 'info',
    event: 'request',
    method: 'GET',
    route: '/api/v1/accounts/:id',
    status: 401,
  })
  expect(server.output).not.toContain('words')
})

test('logs contain no password, token, address or user text', async () => {
  const server = await start()
  const email = 'mia.secret@example.com'
  const headers = await server.register(email)
  const grant = { ...CLIENT, grant_type: 'password', username: email }
  const tokens = (await server.call('POST', '/oauth/token', { ...grant, password: PASSWORD })).json
  const { access_token, refresh_token } = tokens as Record<string, string>
  const wrong = 'a wrong password'
  await server.call('POST', '/oauth/token', { ...grant, password: wrong })
  const refresh = { ...CLIENT, grant_type: 'refresh_token', refresh_token }
  const refreshed = (await server.call('POST', '/oauth/token', refresh)).json
  const plan = { title: 'Hidden title', type: 'project', description: 'Hidden words' }
  await server.call('POST', '/api/v1/success-plans', plan, headers)
  const colleague = 'jonas.secret@example.com'
  const calls: [string, string, unknown?][] = [
    ['GET', `/api/v1/success-plans?filters[title]=${encodeURIComponent(email)}`],
    ['GET', `/api/v1/accounts?sort=${email}`],
    ['GET', `/${email}`],
    ['POST', '/api/v1/organisation-invites', { email: colleague }],
    ['POST', '/api/v1/forgot-password', { email }],
    ['POST', '/api/v1/verify-token', { token: access_token }],
    ['POST', '/api/v1/register', { name: 'Mia', email, password: wrong }],
    ['PUT', '/api/v1/userinfo', { email: colleague }],
    // An input that only the database rejects.
    ['POST', '/api/v1/success-plans', { title: 'Hidden \u0000 title', type: 'project' }],
  ]
  for (const [method, path, body] of calls) await server.call(method, path, body, headers)
  await server.stop('SIGTERM')
  expect(linesOf(server).filter(({ event }) => event === 'request').length).toBeGreaterThan(14)
  const secrets = {
    email,
    colleague,
    password: PASSWORD,
    wrong,
    access_token,
    refresh_token,
    refreshed: String(refreshed.refresh_token),
    client_secret: CLIENT.client_secret,
    title: 'Hidden',
    bearer: 'Bearer',
  }
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret, name).toBeTruthy()
    expect(server.output.includes(secret ?? ''), name).toBe(false)
  }
})

/** The headers that are the same in every answer. */
const protectionOf = ({ headers }: Response) =>
  [...headers].filter(([name]) => /policy|^x-(?:content|frame)|^cache-control$/.test(name))

test('metrics are available to this machine, and not through a proxy', async () => {
  const server = await start()
  await server.call('GET', '/readyz')
  const answer = await fetch(`${server.url}/metrics`)
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  const figures = await answer.text()
  expect(figures).toMatch(
    /http_request_duration_seconds_count\{method="GET",route="\/readyz",status="200"\} 1\n/,
  )
  expect(figures).toContain('process_resident_memory_bytes')
  const forwarded = await fetch(`${server.url}/metrics`, {
    headers: { 'X-Forwarded-For': '127.0.0.1' },
  })
  expect([forwarded.status, await forwarded.text()]).toEqual([404, '{"message":"Not Found"}'])
  const other = await fetch(`${server.url}/no-such-page.js`)
  for (const one of [answer, forwarded]) expect(protectionOf(one)).toEqual(protectionOf(other))
  expect(protectionOf(other)).toContainEqual(['x-content-type-options', 'nosniff'])
})

test('with a metrics token only its bearer gets metrics', async () => {
  const server = await start({ METRICS_TOKEN: 'figures-please' })
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${server.url}/metrics`, { headers })).status
  expect(await status({})).toBe(404)
  expect(await status({ Authorization: 'Bearer figures-please' })).toBe(200)
  expect(await status({ Authorization: 'Bearer figures' })).toBe(404)
  const through = { 'X-Forwarded-For': '10.0.0.1', Authorization: 'Bearer figures-please' }
  expect(await status(through)).toBe(200)
})

/** The metrics as a map from `name{labels}` to the value. */
async function readMetrics(server: ServerProcess): Promise<Map<string, number>> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

test('metrics tell what waits, what was repeated and how much room there is', async () => {
  // Nothing answers on port 9, so the mail of the registration waits.
  const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'Cairn <cairn@example.com>' }
  const server = await start(mail)
  const first = await readMetrics(server)
  expect(first.get('cairn_queue_jobs{queue="mail"}')).toBe(0)
  expect(first.get('cairn_queue_oldest_seconds{queue="mail"}')).toBe(0)
  const headers = await server.register('mia@example.com')
  const key = { ...headers, 'Idempotency-Key': '01900000-0000-7000-8000-000000000001' }
  const plan = { title: 'Twice', type: 'project' }
  const created = await server.call('POST', '/api/v1/success-plans', plan, key)
  await server.call('POST', '/api/v1/success-plans', plan, key)
  const { id } = (created.json as { data: { id: string } }).data
  const edit = (title: string, more: Record<string, string> = {}) =>
    server.call('PATCH', `/api/v1/success-plans/${id}`, { title }, { ...headers, ...more })
  expect((await edit('One')).status).toBe(200)
  expect((await edit('Two', { 'If-Match': '"1"' })).status).toBe(412)
  await server.call('POST', '/api/v1/forgot-password', { email: 'mia@example.com' })
  for (const version of ['0.1.9', '0.2.0', 'mia@example.com', '0.2.0'])
    await server.call('GET', '/api/v1/userinfo', undefined, { ...headers, 'Cairn-App': version })
  const stream = new AbortController()
  const events = { headers, signal: stream.signal }
  expect((await fetch(`${server.url}/api/v1/events`, events)).status).toBe(200)
  const metrics = await waitFor(async () => {
    const found = await readMetrics(server)
    expect(found.get('cairn_queue_jobs{queue="mail"}')).toBeGreaterThan(0)
    return found
  })
  expect(metrics.get('cairn_queue_oldest_seconds{queue="mail"}')).toBeLessThan(120)
  expect(metrics.get('cairn_queue_jobs{queue="push"}')).toBe(0)
  expect(metrics.get('cairn_idempotent_replays_total')).toBe(1)
  expect(metrics.get('cairn_stale_writes_total')).toBe(1)
  expect(metrics.get('cairn_open_streams')).toBe(1)
  expect([...metrics].filter(([name]) => name.startsWith('cairn_devices'))).toEqual([
    ['cairn_devices{version="0.2.0"}', 1],
  ])
  expect(metrics.get('cairn_database_size_bytes')).toBeGreaterThan(1_000_000)
  expect(metrics.get('cairn_disk_free_bytes{folder="data"}')).toBeGreaterThan(0)
  expect([...metrics.keys()].filter((name) => name.startsWith('cairn_backup'))).toEqual([])
  stream.abort()
  await waitFor(async () => {
    expect((await readMetrics(server)).get('cairn_open_streams')).toBe(0)
  })
})

test('with BACKUP_EVERY a backup is made at the start, and metrics tell when', async () => {
  const startedAt = Date.now() / 1_000
  const server = await start({ BACKUP_EVERY: '1h', BACKUP_PASSPHRASE: 'words of the operator' })
  const metrics = await waitFor(async () => {
    const found = await readMetrics(server)
    expect(found.get('cairn_backup_last_proven_timestamp_seconds')).toBeDefined()
    return found
  }, BACKUP_WITHIN)
  expect(metrics.get('cairn_backup_last_proven_timestamp_seconds')).toBeGreaterThan(startedAt - 1)
  expect(metrics.get('cairn_backup_last_attempt_failed')).toBe(0)
  await server.stop('SIGTERM')
  expect(server.output).not.toContain('words of the operator')
})

test('a dashboard asks only for metrics that exist', async () => {
  const server = await start({ BACKUP_EVERY: '1h' })
  await server.call('GET', '/readyz')
  // Histograms by page have values once a device has reported.
  const vitals = PAGE_VITALS.map((name) => ({ name, page: '/', value: 1 }))
  expect((await server.call('POST', '/api/v1/vitals', { vitals })).status).toBe(204)
  const path = join(import.meta.dirname, '../../../docs/grafana-dashboard.json')
  const dashboard = JSON.parse(await readFile(path, 'utf8')) as {
    panels: { targets?: { expr: string }[] }[]
  }
  const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const asked = queries.flatMap(
    (query) => query.match(/\b(?:cairn|http|nodejs|process)_\w+/g) ?? [],
  )
  expect(asked.length).toBeGreaterThan(12)
  await waitFor(async () => {
    const found = [...(await readMetrics(server)).keys()].map((name) => name.replace(/\{.*/, ''))
    expect(asked.filter((name) => !found.includes(name))).toEqual([])
  }, BACKUP_WITHIN)
  // Each metric of the product is on the dashboard; a histogram by its buckets.
  const product = [...(await readMetrics(server)).keys()]
    .map((name) => name.replace(/\{.*/, '').replace(/_(?:sum|count)$/, '_bucket'))
    .filter((name) => name.startsWith('cairn_'))
  expect(product.filter((name) => !asked.includes(name))).toEqual([])
})

const COMMAND = join(import.meta.dirname, '../../../server/ops/backup-command.ts')
const command = (...parameters: string[]) => {
  const child = new ServerProcess(folder.path, {}, [process.execPath, COMMAND, ...parameters])
  children.push(child)
  return child.waitForExit()
}

test('a backup of the running server restores into an empty folder and continues', async () => {
  const file = join(folder.path, 'backup')
  const server = await start()
  const headers = await server.register('mia@example.com')
  const plan = { title: 'In the backup', type: 'project' }
  await server.call('POST', '/api/v1/success-plans', plan, headers)
  expect(await command('backup', file)).toEqual({
    code: 0,
    output: `Backup written to ${file}.\n`,
  })
  const after = { title: 'After the backup', type: 'project' }
  expect((await server.call('POST', '/api/v1/success-plans', after, headers)).status).toBe(201)
  expect((await command('restore', file)).output).toBe(
    `The data folder ${folder.data} is in use by process ${server.process.pid} on ${hostname()}. Stop that first.\n`,
  )
  await server.stop('SIGTERM')
  expect((await command('restore', file)).output).toBe(
    `${file} cannot be restored: the database is not empty. After a restore that was interrupted it is complete: start the server. Otherwise restore into an empty database.\n`,
  )
  await folder.reset()
  expect((await command('restore', file)).output).toMatch(/^\d+ rows restored\.\n$/)
  const restarted = await start()
  const titles = (
    (await restarted.call('GET', '/api/v1/success-plans', undefined, headers)).json.data as {
      title: string
    }[]
  ).map(({ title }) => title)
  expect(titles).toEqual(['In the backup'])
})

test('a backup needs no running server, not even after a kill', async () => {
  const server = await start()
  await server.register('mia@example.com')
  await server.stop('SIGKILL')
  const file = join(folder.path, 'cold')
  expect((await command('backup', file)).code).toBe(0)
  await writeFile(`${file}.spoilt`, 'not a backup')
  expect(await command('restore', `${file}.spoilt`)).toMatchObject({ code: 1 })
  for (const parameters of [[], ['--help'], [file, 'another']])
    expect(await command('backup', ...parameters)).toEqual({
      code: 1,
      output: 'Usage: npm run backup -- <file>, npm run restore -- <file>.\n',
    })
})
