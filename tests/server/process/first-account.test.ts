// A server without demo data is open to the first person who finds it, or its operator cannot get in.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ServerProcess, newFolder } from '../fixtures/server-process.ts'
import { PASSWORD } from '../fixtures/api-fixture.ts'

// Each test starts processes, which is slow where there are few cores.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: Awaited<ReturnType<typeof newFolder>>
let server: ServerProcess
const start = async () =>
  (server = await new ServerProcess(folder.path, { REGISTRATION: 'closed' }).ready())
beforeAll(async () => {
  folder = await newFolder()
})
beforeEach(() => folder.reset())
afterEach(() => server.stop('SIGKILL'))
afterAll(() => folder.remove())

const PRINTED =
  /Make the first account within 24 hours: (\S+)\/auth\/registration#invite_token=(\S+)/
const tokenOf = ({ output }: ServerProcess) => PRINTED.exec(output)?.[2] ?? ''
const register = (email: string, invite_token?: string) =>
  server.call('POST', '/api/v1/register', {
    name: 'Ada',
    email,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    invite_token,
  })

test('the printed link makes one superadmin, also where registration is closed', async () => {
  await start()
  const token = tokenOf(server)
  expect(PRINTED.exec(server.output)?.[1]).toBe(server.url)
  const facts = await server.call('POST', '/api/v1/verify-token', { token })
  expect(facts.json).toEqual({ data: { type: 'invite', email: '', organisation: null } })
  expect((await register('eve@example.com')).status).toBe(403)
  const both = await Promise.all([
    register('ada@example.com', token),
    register('bob@example.com', token),
  ])
  const withStatus = (wanted: number) => both.filter(({ status }) => status === wanted)
  expect(withStatus(201)).toHaveLength(1)
  // The second one finds the link used up, or the registration closed.
  expect([...withStatus(403), ...withStatus(422)]).toHaveLength(1)
  expect(withStatus(201)[0]?.json).toMatchObject({
    data: { superadmin: true, email_verified: false },
  })
  expect((await server.call('POST', '/api/v1/verify-token', { token })).status).toBe(404)
  expect((await register('dan@example.com', token)).status).toBe(403)
})

test('each start prints a link until there is an account, and none afterwards', async () => {
  await start()
  const first = tokenOf(server)
  await server.stop('SIGTERM')
  await start()
  const second = tokenOf(server)
  expect(new Set([first, second, '']).size).toBe(3)
  expect((await register('ada@example.com', second)).status).toBe(201)
  expect((await register('bob@example.com', first)).status).toBe(403)
  await server.stop('SIGTERM')
  await start()
  expect(server.output).not.toContain('invite_token')
})
