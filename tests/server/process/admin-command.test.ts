// An operator locks a user out for good, deletes by accident, or cannot help a user without mail.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ServerProcess, newFolder } from '../fixtures/server-process.ts'
import { CLIENT, PASSWORD } from '../fixtures/api-fixture.ts'
import { longTest } from '../../long-test.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const COMMAND = join(import.meta.dirname, '../../../server/ops/admin-command.ts')
const ADA = 'ada@example.com'
const MIA = 'mia@example.com'

let folder: Awaited<ReturnType<typeof newFolder>>
const children: ServerProcess[] = []
const spawned = (command: string[], env = {}) => {
  const child = new ServerProcess(folder.path, env, command)
  children.push(child)
  return child
}
const start = () => spawned([process.execPath, join(COMMAND, '../../start.ts')]).ready()
const admin = (...parameters: string[]) =>
  spawned([process.execPath, COMMAND, ...parameters]).waitForExit()
const adminWithInput = (input: string, ...parameters: string[]) =>
  spawned(
    ['/bin/sh', '-c', 'printf %s "$INPUT" | "$@"', 'sh', process.execPath, COMMAND, ...parameters],
    { INPUT: input },
  ).waitForExit()
async function json<T>(...parameters: string[]): Promise<T> {
  const { code, output } = await admin(...parameters, '--json')
  expect([code, output]).toEqual([0, output])
  return JSON.parse(output) as T
}
const tokenStatus = async (server: ServerProcess, username: string, password: string) =>
  (
    await server.call('POST', '/oauth/token', {
      ...CLIENT,
      grant_type: 'password',
      username,
      password,
    })
  ).status

beforeAll(async () => {
  folder = await newFolder()
})
beforeEach(() => folder.reset())
afterEach(async () => {
  for (const child of children.splice(0)) await child.stop('SIGKILL')
})
afterAll(() => folder.remove())

test('commands reach a server whose data folder is deeper than the name of a socket may be', async () => {
  const env = { DATA_DIR: join(folder.path, 'deep'.repeat(30), 'deeper'.repeat(20)) }
  const server = await spawned([process.execPath, join(COMMAND, '../../start.ts')], env).ready()
  expect(server.output).not.toContain('unavailable')
  const listed = await spawned(
    [process.execPath, COMMAND, 'user', 'create', ADA],
    env,
  ).waitForExit()
  expect([listed.code, listed.output]).toEqual([0, expect.stringContaining(`${ADA} was made.`)])
})

test('users are made, helped and deleted while the server runs', async () => {
  const server = await start()
  const made = await admin('user', 'create', ADA, '--name', 'Ada', '--superadmin')
  expect([made.code, made.output]).toEqual([0, made.output])
  const [, password = ''] =
    /^Superadmin ada@example\.com was made\. Password: (\S{16})\n$/.exec(made.output) ?? []
  const ada = await server.signIn(ADA, password)
  const profile = () => server.call('GET', '/api/v1/userinfo', undefined, ada)
  expect((await profile()).json).toMatchObject({ data: { name: 'Ada', superadmin: true } })
  expect((await admin('superadmin', 'revoke', ADA)).output).toBe(
    `${ADA} is no superadmin. None is left: “superadmin grant <email>” makes one.\n`,
  )
  expect((await profile()).json).toMatchObject({ data: { superadmin: false } })

  expect((await admin('user', 'end-sign-ins', ADA)).output).toBe(`1 sign-in of ${ADA} ended.\n`)
  expect((await profile()).status).toBe(401)
  const chosen = 'an entirely new secret'
  const reset = await adminWithInput(
    `${chosen}\n`,
    'user',
    'reset-password',
    ADA,
    '--password-stdin',
  )
  expect(reset.output).toBe(`${ADA} has a new password, and every sign-in has ended.\n`)
  expect(await tokenStatus(server, ADA, password)).toBe(400)
  expect(await tokenStatus(server, ADA, chosen)).toBe(200)

  const asked = await admin('user', 'delete', ADA)
  expect(asked.code).toBe(1)
  expect(asked.output).toMatch(
    /stays in 0 organisations, .* Nothing was done: repeat it with --yes\.\n$/,
  )
  expect(await tokenStatus(server, ADA, chosen)).toBe(200)
  expect((await admin('user', 'delete', ADA, '--yes')).code).toBe(0)
  expect(await tokenStatus(server, ADA, chosen)).toBe(400)
  expect(await json('user', 'list')).toEqual([])
})

longTest(
  'organisations are listed, exported and deleted while the server runs, and their owner after them',
  async () => {
    const server = await start()
    const headers = await server.register(MIA)
    await server.call('POST', '/api/v1/success-plans', { title: 'Ours', type: 'project' }, headers)
    const other = await server.register('eve@example.com')
    await server.call('POST', '/api/v1/success-plans', { title: 'Theirs', type: 'project' }, other)
    const all = await json<{ id: string; owner: string; members: number }[]>('organisation', 'list')
    expect(all).toHaveLength(2)
    expect(await json('versions', 'raise')).toMatchObject({ organisations: 2 })
    const id = all.find(({ owner }) => owner === MIA)?.id ?? ''
    expect((await admin('organisation', 'delete', 'Ours')).output).toMatch(
      /^2 organisations are called Ours\. Name one by its id: /,
    )

    const file = join(folder.path, 'export.json')
    expect((await admin('organisation', 'export', id, file)).code).toBe(0)
    const text = readFileSync(file, 'utf8')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(text).not.toContain('Theirs')
    expect(text).not.toMatch(/argon2|password/)
    expect(JSON.parse(text)).toMatchObject({
      organisation: { id, name: 'Ours' },
      people: [{ email: MIA, role: 'admin' }],
      records: { success_plans: [{ title: 'Ours' }], accounts: [] },
    })

    expect((await admin('user', 'delete', MIA, '--yes')).output).toMatch(
      /^mia@example\.com owns “Ours” \(/,
    )
    expect((await admin('organisation', 'delete', id)).output).toMatch(
      /with 1 plan would be deleted/,
    )
    expect(await json<unknown[]>('organisation', 'list')).toHaveLength(2)
    expect((await admin('organisation', 'delete', id, '--yes')).code).toBe(0)
    expect(await json<unknown[]>('organisation', 'list')).toHaveLength(1)
    expect((await admin('user', 'delete', MIA, '--yes')).code).toBe(0)
    expect(await tokenStatus(server, MIA, PASSWORD)).toBe(400)
  },
)

test('revoking a superadmin says when none is left, and only then', async () => {
  await start()
  await admin('user', 'create', ADA, '--superadmin')
  await admin('user', 'create', MIA, '--superadmin')
  const revoked = async (email: string) => (await admin('superadmin', 'revoke', email)).output
  expect(await revoked(ADA)).toBe(`${ADA} is no superadmin.\n`)
  expect(await revoked(MIA)).toContain('None is left')
})

test('doctor counts no deleted users', async () => {
  await (await start()).stop('SIGTERM')
  await admin('user', 'create', ADA, '--superadmin')
  await admin('user', 'create', MIA, '--superadmin')
  await admin('user', 'delete', MIA, '--yes')
  expect((await admin('doctor')).output).toMatch(/^superadmin +ok +1 of 1 users\.$/m)
})

longTest(
  'the same commands work while no server runs, and a new link makes a superadmin',
  async () => {
    expect((await admin('user', 'create', ADA)).output).toMatch(/^User ada@example\.com was made\./)
    expect((await admin('superadmin', 'grant', ADA)).code).toBe(0)
    const users = await json<object[]>('user', 'list')
    expect(users).toMatchObject([{ email: ADA, name: 'ada', superadmin: true, organisations: 0 }])
    const server = await start()
    expect(server.output).not.toContain('invite_token')
    const { link } = await json<{ link: string }>('setup-link')
    expect(link.startsWith(`${server.url}/auth/registration#invite_token=`)).toBe(true)
    const registered = await server.call('POST', '/api/v1/register', {
      name: 'Mia',
      email: MIA,
      password: PASSWORD,
      password_confirmation: PASSWORD,
      invite_token: link.split('=')[1],
    })
    expect(registered.json).toMatchObject({ data: { superadmin: true } })
  },
)

longTest('a command ends where the process of the server is suspended, and says so', async () => {
  const server = await start()
  const { pid = 0 } = server.process
  process.kill(pid, 'SIGSTOP')
  try {
    const ended = await admin('user', 'list')
    expect(ended).toEqual({
      code: 1,
      output: `The server that runs on ${folder.data} does not answer. Continue or stop its process.\n`,
    })
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect(await json<unknown[]>('user', 'list')).toEqual([])
})

test('a mistake ends in one line that says what to do, and changes nothing', async () => {
  const server = await start()
  await server.register(MIA)
  const cases: [parameters: string[], code: number, output: RegExp][] = [
    [
      ['user', 'reset-password', 'nobody@example.com'],
      1,
      /^There is no user nobody@example\.com\. “user list” names them all\.\n$/,
    ],
    [['user', 'create', MIA], 1, /^mia@example\.com is taken\. “user reset-password/],
    [['user', 'create', 'no address'], 1, /^email: .+\n$/],
    [
      ['organisation', 'export', 'None', join(folder.path, 'none')],
      1,
      /^There is no organisation None\. /,
    ],
    [
      ['user', 'create', ADA, '--password', 'in the list of processes'],
      2,
      /^“user create” does not take --password\. Usage: /,
    ],
    [['user', 'remove', ADA], 2, /^There is no command “user remove”, but user create, /],
    [['user', 'delete'], 2, /^Usage: npm run admin -- user delete <email> \[--yes\]\n$/],
  ]
  for (const [parameters, code, output] of cases) {
    const ended = await admin(...parameters)
    expect([parameters.join(' '), ended.code, ended.output.split('\n').length]).toEqual([
      parameters.join(' '),
      code,
      2,
    ])
    expect(ended.output).toMatch(output)
  }
  const common = await adminWithInput('password1', 'user', 'create', ADA, '--password-stdin')
  expect(common).toEqual({
    code: 1,
    output: 'password: Many people use this password. Choose another one.\n',
  })
  expect(await json<unknown[]>('user', 'list')).toHaveLength(1)
  const elsewhere = { DATA_DIR: join(folder.path, 'elsewhere') }
  expect(
    await spawned([process.execPath, COMMAND, 'user', 'list'], elsewhere).waitForExit(),
  ).toEqual({
    code: 1,
    output: `There is no database in ${elsewhere.DATA_DIR}. Start the server once, or set DATA_DIR to its folder.\n`,
  })
})
