// `npm run conform`, on our own server and on the plain one: its report is wrong, or it touches what is not its own.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { checkServer } from '../../../conform/check-server.ts'
import type { ReportJson } from '../../../conform/report.ts'
import { CAPABILITIES, OWN_CAPABILITIES } from '../../../contract/capabilities.ts'
import { PlainServer } from '../../plain-server/plain-server.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { PASSWORD } from '../fixtures/api-fixture.ts'
import { newFolder, ServerProcess } from '../fixtures/server-process.ts'

const CLI = join(import.meta.dirname, '../../../conform/cli.ts')
let folder: Awaited<ReturnType<typeof newFolder>>
beforeAll(async () => {
  folder = await newFolder()
  await folder.reset()
})
afterAll(() => folder.remove())

/** Runs the command; returns its exit code, what it prints, and the report. */
async function conform(url: string, email: string, password: string, ...more: string[]) {
  const file = join(folder.path, 'report.json')
  const parameters = [CLI, url, '--email', email, '--password', password, '--json', file, ...more]
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>()
  execFile(process.execPath, parameters, (error, output, errors) =>
    resolve({ code: Number(error?.code ?? 0), output: output + errors }),
  )
  const ended = await promise
  return { ...ended, report: JSON.parse(await readFile(file, 'utf8')) as ReportJson }
}

const APP = 'https://cairn.example.com'
const ANA = { email: 'ana@plain.test', password: 'a plain password' }

async function startPlain(options: Partial<PlainOptions> = {}) {
  const server = await PlainServer.start(options, { accounts: 2, plans: 20 })
  onTestFinished(() => server.stop())
  const { api, url } = server
  const credentials = { ...ANA, clientId: 'app', clientSecret: 'not a secret' }
  const check = (write: boolean, origin?: string) => checkServer(url, credentials, write, origin)
  return { api, url, check }
}

test('our server passes every level, and is left as it was', async () => {
  const server = await new ServerProcess(folder.path, { CORS_ORIGINS: APP }).ready()
  onTestFinished(() => void server.stop('SIGTERM'))
  const headers = await server.register('mia@example.com')
  const read = async (path: string) => (await server.call('GET', path, undefined, headers)).json
  const before = [await read('/api/v1/organisations'), await read('/api/v1/changes?since=0')]
  const options = ['--write', '--origin', APP]
  const { code, output, report } = await conform(
    server.url,
    'mia@example.com',
    PASSWORD,
    ...options,
  )
  expect({ findings: report.findings, code }).toEqual({ findings: [], code: 0 })
  // Of an organisation without records there is none to read.
  expect(report.notes.filter((note) => !note.endsWith('has no record.'))).toEqual([])
  expect(report.level).toBe('everything')
  expect(report.capabilities).toBe(OWN_CAPABILITIES)
  expect(output).toContain(`Level: everything\n`)
  expect(output).toContain(`"capabilities": "${OWN_CAPABILITIES}"`)
  const after = [await read('/api/v1/organisations'), await read('/api/v1/changes?since=0')]
  expect(after).toEqual(before)
})

test.for([
  ['Müller in der Straße', 'MULLER IN DER STRASSE'],
  ['Łódź rollout', 'Lodz rollout'],
  ['Œuvre for Ægir', 'oeuvre for aegir'],
])('a search for %s that finds %s as well passes', async (titles) => {
  const server = await new ServerProcess(folder.path).ready()
  onTestFinished(() => void server.stop('SIGTERM'))
  const email = `${uuidv7()}@example.com`
  const headers = await server.register(email)
  for (const title of titles) {
    const plan = { id: uuidv7(), title, type: 'project' }
    const made = await server.call('POST', '/api/v1/success-plans', plan, headers)
    expect(made).toMatchObject({ status: 201 })
  }
  const { report } = await conform(server.url, email, PASSWORD)
  expect(report.findings).toEqual([])
})

test('the plain server passes writes, and each capability that it lacks is named', async () => {
  const { url } = await startPlain()
  const { code, output, report } = await conform(url, ANA.email, ANA.password, '--write')
  expect(report.findings.filter(({ capability }) => capability === undefined)).toEqual([])
  expect({ code, level: report.level }).toEqual({ code: 0, level: 'writes' })
  expect(report.capabilities).toBe('partial')
  const lacks = new Set(report.findings.map(({ capability }) => capability))
  expect(lacks).toEqual(new Set(Object.keys(CAPABILITIES).filter((name) => name !== 'partial')))
  expect(report.findings).toContainEqual({
    level: 'live',
    capability: 'changes',
    call: 'GET /api/v1/changes?since=0',
    field: 'status',
    value: '404 {"message":"The route api/v1/changes could not be found."}',
    expectation: '{data: {<collection>: [records], deleted: [{type, id}]}, version, more}',
  })
  for (const name of lacks) expect(output).toContain(`without ${name}\n`)
})

test('a check that takes longer than an access token lives goes on with a new one', async () => {
  const { api, check } = await startPlain({ unknownRoutes: 401 })
  api.onWrite = () => api.tokens.expireAll()
  const report = await check(true)
  expect(report.findings.filter(({ capability }) => capability === undefined)).toEqual([])
  expect(report.level).toBe('writes')
})

test('an unreadable value is named with its call, field and expectation', async () => {
  const { url } = await startPlain({
    oddities: { 'days-localised': 'first', 'null-titles': 'first' },
  })
  const { code, output, report } = await conform(url, ANA.email, ANA.password)
  expect({ code, level: report.level }).toEqual({ code: 1, level: null })
  const list = { level: 'reads', call: 'GET /api/v1/success-plans' }
  expect(report.findings).toContainEqual({
    ...list,
    field: 'success_plans 1 end_date',
    value: '"31/12/2026"',
    expectation: 'a day or a time in ISO 8601, such as 2026-12-01',
  })
  expect(report.findings).toContainEqual({
    ...list,
    field: 'success_plans 1 title',
    value: 'null',
    expectation: 'a value: the record cannot be shown without it',
  })
  expect(output).toContain('success_plans 1 end_date: "31/12/2026"')
})

test.for<[string, Partial<PlainOptions>]>([
  ['pages that repeat the first', { pagination: 'cursor', withoutMeta: true }],
  ['a refused refresh that is not recognised', { refusedRefresh: 'invalid_client' }],
])('%s', async ([what, options]) => {
  const { check } = await startPlain(options)
  const report = await check(false)
  if (what.startsWith('pages'))
    expect(report.findings.map(({ call, value }) => [call, value])).toContainEqual([
      'GET /api/v1/success-plans?page=2',
      '15 records of the first page',
    ])
  else expect(report.notes.join('\n')).toContain('signs out later, or not at all')
})

test('writes that answer no record fail; those that replace the record lack a capability', async () => {
  const empty = await startPlain({ writes: 'message' })
  const { levels } = await empty.check(true)
  expect(levels).toMatchObject({ reads: 'passed', writes: 'failed' })
  const replacing = await startPlain({ put: 'replaces' })
  const replaced = await replacing.check(true)
  // The whole record is sent, so that nothing is lost; only the capability is lacking.
  expect(replaced.level).toBe('writes')
  expect(replaced.capabilities).toBe('')
  expect(replaced.findings).toContainEqual(
    expect.objectContaining({ capability: 'partial', field: 'notes', value: 'null' }),
  )
})

test.for(['empty', 'message'] as const)(
  'answers to writes without a record (%s) show no keys',
  async (writes) => {
    const { check } = await startPlain({ writes })
    const { capabilities, levels } = await check(true, APP)
    expect({ capabilities, reads: levels.reads }).toEqual({ capabilities: '', reads: 'passed' })
  },
)

test.for<Partial<PlainOptions>>([
  { lists: 'map' },
  { lists: 'nested' },
  { lists: 'null' },
  { pagination: 'cursor' },
  { pagination: 'cursor', pageSize: 2 },
  { pageSize: 1 },
  { oddities: { 'days-without-dashes': 'all' } },
])('a server in another form that the app reads passes writes: %o', async (options) => {
  const { check } = await startPlain(options)
  const { findings, level, notes } = await check(true)
  expect(findings.filter(({ capability }) => capability === undefined)).toEqual([])
  expect({ level, notes }).toEqual({ level: 'writes', notes: [] })
})

test.for([401, 403, 410, 422, 501] as const)(
  'a server that denies what it does not know with %i has no capability by that',
  async (unknownRoutes) => {
    const { check } = await startPlain({ unknownRoutes })
    const { capabilities, level } = await check(true)
    expect({ capabilities, level }).toEqual({ capabilities: 'partial', level: 'writes' })
  },
)

test.for(['null', '{"data":[null]}', '5', '{"data":[{"id":null}]}', '{"data":"x"}', '<html>'])(
  'an answer of %s to any call is reported',
  async (text) => {
    const paths = ['organisations', 'success-plans', 'updates', 'accounts', 'actions', 'userinfo']
    for (const path of paths) {
      const { api, check } = await startPlain()
      api.refuse({ path: new RegExp(`/${path}$`) }, 200, text)
      const { findings } = await check(true)
      expect(findings.map(({ call }) => call).join()).toContain(`/${path}`)
    }
  },
)

test('an id that no address of a page can have is named', async () => {
  const { api, check } = await startPlain()
  const [account] = api.records.tables.accounts
  if (account) account.id = 'gid://app/Account/1'
  const { findings } = await check(false)
  expect(findings.filter(({ field }) => field === 'id')).toMatchObject([
    { call: 'GET /api/v1/accounts', value: '["gid://app/Account/1"]' },
  ])
})

test('without --write nothing is written', async () => {
  const { api, check } = await startPlain()
  expect(await check(false)).toMatchObject({ level: 'reads' })
  const written = api.requests.filter(({ method }) => method !== 'GET')
  expect(new Set(written.map(({ path }) => path))).toEqual(new Set(['/oauth/token']))
})

/** The records of the tables, without those of organisations whose name begins with `cairn-conform`. */
const recordsOf = (api: PlainServer['api']) =>
  structuredClone(
    Object.fromEntries(
      Object.entries(api.records.tables).map(([table, records]) => [
        table,
        records.filter(({ organisation_id }) => !organisation_id || organisation_id === '1'),
      ]),
    ),
  )

test('--write touches no other organisation, and deletes its own', async () => {
  const { api, check } = await startPlain()
  const before = recordsOf(api)
  await check(true)
  expect(recordsOf(api)).toEqual(before)
  const written = api.requests.filter(
    ({ method, path, status }) =>
      method !== 'GET' && status < 300 && !/^\/oauth|organisations(\/\d+)?$/.test(path),
  )
  expect(written.length).toBeGreaterThan(20)
  expect(new Set(written.map(({ headers }) => headers['x-organisation']))).toEqual(new Set(['2']))
})

test('an organisation called cairn-conform that is there is used, and stays', async () => {
  const { api, check } = await startPlain()
  const [ana] = api.users
  if (!ana) throw new Error('There is no user.')
  const { id } = api.addOrganisation(ana, 'cairn-conform of the team')
  expect(await check(true)).toMatchObject({ level: 'writes' })
  expect(api.seen('POST', /organisations$/)).toEqual([])
  expect(api.records.tables.organisations.map((one) => one.id)).toEqual(['1', id])
  for (const table of ['accounts', 'success-plans', 'initiatives', 'actions'] as const)
    expect(api.records.tables[table].filter((one) => one.organisation_id === id)).toEqual([])
})

const CORS = {
  origin: APP,
  exposesHeaders: true,
  onErrors: true,
  allowedHeaders: 'Authorization, Content-Type, Accept, X-organisation',
}
const ALLOW_ORIGIN = 'Access-Control-Allow-Origin'

test('a server that the app may call from its origin passes', async () => {
  const { check } = await startPlain({ cors: CORS })
  const { level, notes } = await check(false, APP)
  expect(level).toBe('reads')
  expect(notes.filter((note) => note.includes('Expose-Headers'))).toEqual([])
})

test.for<[string, Partial<typeof CORS>, string, string]>([
  ['another origin', { origin: 'https://other.example.com' }, ALLOW_ORIGIN, APP],
  ['errors', { onErrors: false }, ALLOW_ORIGIN, `${APP}, on errors too`],
  [
    'a header of the specification',
    { allowedHeaders: 'Authorization, Content-Type' },
    'Access-Control-Allow-Headers',
    'also X-organisation',
  ],
  [
    'the token, which * does not stand for,',
    { allowedHeaders: '*' },
    'Access-Control-Allow-Headers',
    'also Authorization',
  ],
])('a CORS policy without %s fails', async ([, differs, field, expectation]) => {
  const { check } = await startPlain({ cors: { ...CORS, ...differs } })
  const { level, findings } = await check(false, APP)
  expect(level).toBeNull()
  const found = findings.filter((one) => one.field === field)
  expect(found.map((one) => one.expectation)).toContainEqual(expect.stringContaining(expectation))
  expect(findings.filter((one) => !one.capability)).toEqual(found)
})

test('capabilities that the app cannot read belong into its configuration', async () => {
  const { check } = await startPlain({
    capabilities: 'partial',
    cors: { ...CORS, exposesHeaders: false },
  })
  const { level, notes } = await check(false, APP)
  expect(level).toBe('reads')
  expect(notes).toContain(
    'Cairn-Capabilities is not in Access-Control-Expose-Headers: name the capabilities in config.json.',
  )
})

test('a server that does not answer is a finding', async () => {
  const server = await PlainServer.start()
  await server.stop()
  const { code, report } = await conform(server.url, ANA.email, ANA.password)
  expect({ code, level: report.level }).toEqual({ code: 1, level: null })
  expect(report.findings).toMatchObject([{ call: 'POST /oauth/token', field: 'answer' }])
})
