// An update starts on the data folder that an earlier build has written: nothing in it may be lost.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  previousData,
  unpackPreviousData,
  type PreviousVersion,
} from '../../fixtures/previous-build.ts'
import { ServerProcess } from '../fixtures/server-process.ts'
import { MailServer } from '../fixtures/mail-server.ts'
import { CLIENT } from '../fixtures/api-fixture.ts'
import { isLongRun } from '../../sample.ts'
import { waitFor } from '../../wait-for.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** How long the server was down for the update: longer than an access token lives. Milliseconds. */
const DOWN_MS = 3_600_000
const START = join(import.meta.dirname, '../../../server/start.ts')
const CLOCK = join(import.meta.dirname, '../fixtures/shifted-clock.ts')

const idsOf = (json: object) => (json as { data: { id: string }[] }).data.map(({ id }) => id)

// Without a long run that of the newest: killed-update.test.ts updates the other one.
const VERSIONS = (Object.keys(previousData) as PreviousVersion[]).slice(isLongRun ? 0 : -1)

describe.for(VERSIONS)('written by %s', (version) => {
  const { answers, keyed, made_at, organisations, people, password, session } =
    previousData[version]
  let folder: string
  let server: ServerProcess
  const mails = new MailServer()
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-previous-'))
    await mkdir(join(folder, 'dist'))
    await writeFile(join(folder, 'dist/index.html'), '<!doctype html>')
    await unpackPreviousData(version, join(folder, 'data'))
    const env = {
      CLOCK_OFFSET_MS: String(Date.parse(made_at) + DOWN_MS - Date.now()),
      SMTP_URL: await mails.url(),
      MAIL_FROM: 'cairn@example.com',
    }
    server = await new ServerProcess(folder, env, [
      process.execPath,
      '--import',
      CLOCK,
      START,
    ]).ready()
  })
  afterAll(async () => {
    await server.stop('SIGTERM')
    await new Promise<void>((resolve) => mails.server.close(resolve))
    await rm(folder, { recursive: true, force: true })
  })

  const token = (grant: object) => server.call('POST', '/oauth/token', { ...CLIENT, ...grant })
  const inFirst = async () => ({
    ...(await server.signIn(people.owner, password)),
    'X-organisation': organisations.first,
  })

  test('people sign in with their passwords, and each organisation has its own records', async () => {
    const owner = await server.signIn(people.owner, password)
    const mine = await server.call('GET', '/api/v1/organisations', undefined, owner)
    expect(idsOf(mine.json).toSorted()).toEqual(Object.values(organisations).toSorted())
    const there = { ...owner, 'X-organisation': organisations.second }
    const plans = await server.call('GET', '/api/v1/success-plans', undefined, there)
    expect(plans.json).toMatchObject({ data: [{ title: 'Only there' }] })
    const member = await server.signIn(people.member, password)
    const theirs = await server.call('GET', '/api/v1/organisations', undefined, member)
    expect(idsOf(theirs.json)).toEqual([organisations.first])
  })

  test.for(answers)('answers as before: $path', async ({ path, json }) => {
    const now = await server.call('GET', path, undefined, await inFirst())
    expect(now.status).toBe(200)
    expect(now.json).toMatchObject(json)
  })

  test('a session goes on: its access token has expired, its refresh token is accepted', async () => {
    const { access_token, refresh_token } = session
    const user = (bearer: unknown) =>
      server.call('GET', '/api/v1/userinfo', undefined, {
        Authorization: `Bearer ${String(bearer)}`,
      })
    expect((await user(access_token)).status).toBe(401)
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token })
    expect(refreshed.status).toBe(200)
    const { status, json } = await user(refreshed.json.access_token)
    expect(status).toBe(200)
    expect(json).toMatchObject({ data: { email: people.member } })
  })

  test('a write that is repeated gets its first answer, and has no second effect', async () => {
    const headers = { ...(await inFirst()), 'Idempotency-Key': keyed.key }
    const count = async () =>
      idsOf((await server.call('GET', '/api/v1/success-plans', undefined, headers)).json).length
    const before = await count()
    const again = await server.call('POST', keyed.path, keyed.body, headers)
    expect(again).toEqual({ status: keyed.status, json: keyed.json })
    expect(await count()).toBe(before)
  })

  test('a mail that waited is sent, and its link opens an account', async () => {
    // The queue is emptied each minute, and whenever a mail is added to it.
    const next = { email: 'pia@example.com' }
    await server.call('POST', '/api/v1/organisation-invites', next, await inFirst())
    const mail = await waitFor(() => {
      const sent = mails.accepted.filter(({ to }) => to[0] === people.invited)
      expect(sent).toHaveLength(1)
      return sent[0]
    })
    const text = (mail?.source ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
    const [, invite_token] = /invite_token=([\w-]+)/.exec(text) ?? []
    const person = {
      name: 'Olga',
      email: people.invited,
      password,
      password_confirmation: password,
    }
    const registered = await server.call('POST', '/api/v1/register', { ...person, invite_token })
    expect(registered.status).toBe(201)
  })
})
