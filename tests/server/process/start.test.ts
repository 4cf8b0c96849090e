// Start and stop: a failed start prints one clear line, and running requests are completed.
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { DEMO_PASSWORD } from '../../../server/demo/stories.ts'
import { ServerProcess, newFolder } from '../fixtures/server-process.ts'
import { waitFor } from '../../wait-for.ts'
import { longTest } from '../../long-test.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: Awaited<ReturnType<typeof newFolder>>
const children: ServerProcess[] = []
const start = (env: Record<string, string> = {}, command?: string[]) => {
  const child = new ServerProcess(folder.path, env, command)
  children.push(child)
  return child
}
beforeAll(async () => {
  folder = await newFolder()
})
beforeEach(() => folder.reset())
afterEach(async () => {
  for (const child of children.splice(0)) await child.stop('SIGKILL')
})
afterAll(() => folder.remove())

test('a port in use is reported in one line, and the folder is released', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, output } = await start({ PORT: String(port) }).waitForExit()
  other.close()
  expect(code).toBe(1)
  expect(output).toBe(
    `Port ${port} is in use. Stop the program that uses it, or set PORT to another one.\n`,
  )
  expect((await (await start().ready()).call('GET', '/healthz')).status).toBe(200)
})

test.runIf(process.geteuid?.() === 0)(
  'a folder of another user is reported in one line',
  async () => {
    const open = await mkdtemp(join(tmpdir(), 'cairn-open-'))
    await chmod(open, 0o755)
    const [DATA_DIR, DIST] = [join(open, 'data'), join(open, 'dist')]
    await mkdir(DATA_DIR, { mode: 0o700 })
    await mkdir(DIST)
    await writeFile(join(DIST, 'index.html'), '<!doctype html>')
    const asNobody = ['setpriv', '--reuid=65534', '--clear-groups', process.execPath, START]
    const { code, output } = await start({ DATA_DIR, DIST }, asNobody).waitForExit()
    await rm(open, { recursive: true })
    expect(code).toBe(1)
    expect(output).toBe(
      `The data folder ${DATA_DIR} belongs to another user. Run the server as that user.\n`,
    )
  },
)

longTest('an address of IPv6 is printed as a browser opens it', async () => {
  const server = await start({ HOST: '::1' }).ready()
  expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect((await server.call('GET', '/healthz')).status).toBe(200)
})

longTest('an address of another machine is reported in one line that names HOST', async () => {
  // https://www.rfc-editor.org/rfc/rfc5737
  const { code, output } = await start({ HOST: '192.0.2.1', PORT: '8080' }).waitForExit()
  expect(code).toBe(1)
  expect(output).toMatch(/^HOST 192\.0\.2\.1 with PORT 8080 cannot be used: .+\.\n$/)
})

test('a folder that cannot be created is reported in one line', async () => {
  await writeFile(join(folder.path, 'file'), '')
  const DATA_DIR = join(folder.path, 'file/data')
  const { code, output } = await start({ DATA_DIR }).waitForExit()
  expect(code).toBe(1)
  expect(output).toBe(
    `The data folder ${DATA_DIR} cannot be created (ENOTDIR). Set DATA_DIR to a folder that the server may write.\n`,
  )
})

test.for(['backup', 'admin'] as const)(
  'the command %s says that the data folder is a file, and blames no server',
  async (name) => {
    const DATA_DIR = join(folder.path, 'a-file')
    await writeFile(DATA_DIR, '')
    const script = join(START, `../ops/${name}-command.ts`)
    const words = name === 'backup' ? ['backup', join(folder.path, 'kept')] : ['user', 'list']
    const { code, output } = await start({ DATA_DIR }, [
      process.execPath,
      script,
      ...words,
    ]).waitForExit()
    expect([code, output]).toEqual([1, `${DATA_DIR} is a file. Set DATA_DIR to a folder.\n`])
  },
)

test('a signal ends a server that does not listen yet, also as the first process of a container', async () => {
  const database = createServer()
  database.listen(0, '127.0.0.1')
  await once(database, 'listening')
  const { port } = database.address() as AddressInfo
  const address = `postgres://cairn@127.0.0.1:${port}/cairn`
  const connected = once(database, 'connection')
  const TOKEN_KEY = 'ab'.repeat(32)
  const child = start({ DATABASE_URL: address, DATABASE_OWNER_URL: address, TOKEN_KEY })
  await connected
  // Without a handler the system ends it by its default action, which the first process does not have.
  expect([await child.stop('SIGTERM'), child.process.signalCode]).toEqual([143, null])
  database.close()
})

test('a misspelt setting is named at the start, with the one that it looks like', async () => {
  const { output } = await start({ BACKUP_EVRY: '12h' }).ready()
  expect(output.split('\n').filter((line) => line.includes('BACKUP'))).toEqual([
    expect.stringContaining(
      'BACKUP_EVRY is no setting and has no effect. Did you mean BACKUP_EVERY?',
    ),
  ])
})

test.for([
  [
    { DATA_DIR: '/proc/cairn/data' },
    'The data folder /proc/cairn/data cannot be created (ENOENT). Set DATA_DIR to a folder that the server may write.',
  ],
  [
    { BACKUP_EVERY: '12h', BACKUP_DIR: '/proc/cairn/backups' },
    'The folder /proc/cairn/backups for backups cannot be created or written. Set BACKUP_DIR to one that can.',
  ],
] as const)(
  '%j, where the system takes no folders, ends the start in one line',
  async ([env, line]) => {
    const { code, output } = await start(env).waitForExit()
    expect(code).toBe(1)
    expect(output).toBe(`${line}\n`)
  },
)

test('the folder of the backups may be in a new data folder, under any name', async () => {
  const DATA_DIR = join(folder.path, 'with-backups')
  const env = { DATA_DIR, BACKUP_EVERY: '12h', BACKUP_DIR: join(DATA_DIR, 'kept/nightly') }
  for (let times = 0; times < 2; times += 1) {
    await (await start(env).ready()).stop('SIGTERM')
    expect((await stat(env.BACKUP_DIR)).mode & 0o777).toBe(0o700)
  }
})

test('the reason why no database can be made is reported in one line', async () => {
  const limited = ['/bin/sh', '-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, START]
  const DATA_DIR = join(folder.path, 'new')
  const { code, output } = await start({ DATA_DIR }, limited).waitForExit()
  expect(code).toBe(1)
  expect(output).toBe(
    `The database in ${DATA_DIR}/postgres.new cannot be created: insufficient file descriptors available to start server process\n`,
  )
})

test('an invalid setting is reported in one line', async () => {
  const { code, output } = await start({ PORT: 'http' }).waitForExit()
  expect(code).toBe(1)
  expect(output).toBe('PORT must be a whole number from 0 to 65535, not "http".\n')
})

longTest('an option that the server does not know is reported in one line', async () => {
  const { code, output } = await start({}, [process.execPath, START, '--port=9000']).waitForExit()
  expect(code).toBe(1)
  expect(output).toBe(
    'Unknown option --port=9000. Settings are environment variables, such as PORT=9000: see docs/configuration.md.\n',
  )
})

test('a folder without a built app is reported in one line', async () => {
  const { code, output } = await start({ DIST: folder.data }).waitForExit()
  expect(code).toBe(1)
  expect(output).toBe(`DIST: there is no built app in ${folder.data}.\n`)
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops the server cleanly', async (signal) => {
  const server = await start().ready()
  expect(await server.stop(signal)).toBe(0)
})

test('SIGTERM to `npm start` leaves no server running', async () => {
  const { PATH = '', HOME = '' } = process.env
  const npm = await start({ PATH, HOME }, ['npm', 'start']).ready()
  npm.process.kill('SIGTERM')
  // Its streams stay open as long as the server keeps them.
  await once(npm.process, 'exit')
  await waitFor(() => expect(fetch(npm.url)).rejects.toThrow('fetch failed'))
})

/** A request to create a plan whose body has not been sent yet, and what has been answered to it. */
async function runningRequest(server: ServerProcess, body: string) {
  const headers = await server.register('mia@example.com')
  const lines = Object.entries({
    ...headers,
    Host: 'localhost',
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    Expect: '100-continue',
  }).map(([name, value]) => `${name}: ${value}`)
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(`POST /api/v1/success-plans HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  const answer = { text: '' }
  socket.on('data', (part: Buffer) => (answer.text += part.toString()))
  // Its `100 Continue` shows that the request is running.
  while (!answer.text.includes('100 Continue')) await once(socket, 'data')
  return { socket, answer }
}

longTest('running requests are finished before the server stops', async () => {
  const server = await start().ready()
  const body = JSON.stringify({ title: 'Half sent', type: 'project' })
  const { socket, answer } = await runningRequest(server, body)
  const code = server.stop('SIGTERM')
  await refusesConnections(server.url)
  socket.write(body)
  expect(await code).toBe(0)
  expect(answer.text).toMatch(/HTTP\/1\.1 201 Created[^]*"title":"Half sent"/)
})

longTest(
  'a request that never comes to its end does not hold up the end of the server',
  async () => {
    const server = await start().ready()
    await runningRequest(server, '{"title":"Never sent"}')
    expect(await server.stop('SIGTERM')).toBe(0)
  },
)

longTest('an event stream does not delay shutdown', async () => {
  const server = await start().ready()
  const headers = await server.register('mia@example.com')
  const stream = await fetch(`${server.url}/api/v1/events`, { headers })
  const reader = stream.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^event: version\n/)
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(await reader?.read()).toMatchObject({ done: true })
})

const ON_A_TERMINAL = ['--import', 'data:text/javascript,process.stdout.isTTY=true']
const START = join(import.meta.dirname, '../../../server/start.ts')

test.each([
  ['on a terminal the address stays the last line', {}, ON_A_TERMINAL, false],
  ['with LOG=json a terminal shows each request', { LOG: 'json' }, ON_A_TERMINAL, true],
  ['elsewhere each request is a line', {}, [], true],
])('%s', async (_title, env, options, isLogged) => {
  const server = await start(env, [process.execPath, ...options, START]).ready()
  expect((await fetch(`${server.url}/config.json`)).status).toBe(200)
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(server.output.includes('"event":"request"')).toBe(isLogged)
  expect(server.output.trim().split('\n').at(-1)?.startsWith('Cairn is at ')).toBe(!isLogged)
})

/** Resolves when the server accepts no more connections. */
async function refusesConnections(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  for (;;) {
    const probe = connect(Number(port), hostname)
    const isOpen = await new Promise<boolean>((resolve) => {
      probe.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    probe.destroy()
    if (!isOpen) return
  }
}

test('the demo is created at the first start, with sign-in data logged, and kept at the second', async () => {
  const server = await start({ DEMO_DATA: '1' }).ready()
  expect(server.output).toContain(`Sign in as mia@example.com with ${DEMO_PASSWORD}`)
  const signedIn = await server.signIn('mia@example.com', DEMO_PASSWORD)
  const organisations = await server.call('GET', '/api/v1/organisations', undefined, signedIn)
  const [first] = organisations.json.data as { id: string; name: string }[]
  const headers = { ...signedIn, 'X-organisation': first?.id ?? '' }
  const count = async (from: ServerProcess) =>
    (await from.call('GET', '/api/v1/success-plans', undefined, headers)).json.meta
  expect(await count(server)).toMatchObject({ total: 50 })
  await server.call('POST', '/api/v1/success-plans', { title: 'Mine', type: 'project' }, headers)
  await server.stop('SIGTERM')
  expect(await count(await start({ DEMO_DATA: '1' }).ready())).toMatchObject({ total: 51 })
})

longTest('token lifetimes are configurable', async () => {
  const server = await start({ ACCESS_TOKEN_SECONDS: '7000' }).ready()
  await server.register('mia@example.com')
  const grant = { grant_type: 'password', username: 'mia@example.com' }
  const client = { client_id: 'cairn-app', client_secret: 'cairn-app-is-public' }
  const { json } = await server.call('POST', '/oauth/token', {
    ...client,
    ...grant,
    password: 'correct horse battery',
  })
  expect(json.expires_in).toBe(7_000)
})

/** The server's answer to raw bytes. */
async function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let output = ''
  socket.on('data', (part: Buffer) => (output += part.toString()))
  socket.write(bytes)
  await once(socket, 'close')
  return output
}

longTest('TRACE is rejected, and no path leads to a file of the machine', async () => {
  const server = await start().ready()
  const request = (line: string) =>
    raw(server.url, `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  expect(await request('TRACE /')).toMatch(/^HTTP\/1\.1 405 /)
  for (const path of ['/../data/token-key', '/..%2fdata%2ftoken-key', '/%2e%2e/%2e%2e/etc/passwd'])
    expect(await request(`GET ${path}`)).toMatch(/^HTTP\/1\.1 404 [^]*\{"message":"Not Found"\}$/)
  expect(await request('GET /')).toMatch(/^HTTP\/1\.1 200 /)
})

longTest('an organisation header sent twice is rejected', async () => {
  const server = await start().ready()
  const { Authorization, 'X-organisation': id } = await server.register('mia@example.com')
  const answer = await raw(
    server.url,
    `GET /api/v1/success-plans HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: ${Authorization}\r\nX-organisation: ${id}\r\nX-organisation: ${id}\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
})
