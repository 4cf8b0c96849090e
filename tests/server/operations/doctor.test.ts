// The doctor calls a server healthy that is not, or says what is wrong and not what to do.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine } from '../../../server/ops/admin/doctor.ts'
import type { AdminAnswer } from '../../../server/ops/admin/request.ts'
import { VERSION } from '../../../server/configuration/version.ts'
import { schemaVersion } from '../../../server/database/migrate.ts'
import { StartError } from '../../../server/errors/start-error.ts'
import { writeBackupStatus } from '../../../server/ops/backups/status.ts'
import { OIDC_CLIENT, OidcIssuer } from '../fixtures/oidc-issuer.ts'
import { MailServer } from '../fixtures/mail-server.ts'

const DAY_MS = 86_400_000
let DATA_DIR: string
const mails = new MailServer()
beforeAll(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'cairn-doctor-'))
})
afterAll(async () => {
  await rm(DATA_DIR, { recursive: true })
})

const statusOf =
  (details: Record<string, string | number> = {}) =>
  async (): Promise<AdminAnswer> => ({
    message: '',
    details: {
      version: VERSION,
      schema: schemaVersion(),
      clock: new Date().toISOString(),
      users: 2,
      superadmins: 1,
      ...details,
    },
  })
/** State and finding by check. */
async function findings(env: Record<string, string> = {}, status = statusOf()) {
  const { rows, hasFailed } = await examine({ DATA_DIR, ...env }, status)
  const byCheck = Object.fromEntries(rows.map((row) => [row.check, `${row.state}: ${row.finding}`]))
  return { byCheck, hasFailed }
}

test('a good server has nothing but ok', async () => {
  await writeFile(join(DATA_DIR, 'last-backup'), new Date().toISOString())
  const mail = { SMTP_URL: await mails.url(), MAIL_FROM: 'cairn@example.com' }
  const { byCheck, hasFailed } = await findings(mail)
  await new Promise<void>((resolve) => mails.server.close(resolve))
  expect(Object.values(byCheck).filter((finding) => !finding.startsWith('ok: '))).toEqual([])
  expect(Object.keys(byCheck)).toEqual(
    'configuration database clock superadmin disk mail address proxy backup'.split(' '),
  )
  expect(hasFailed).toBe(false)
})

test('what is wrong is named with what to do', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  await writeFile(join(DATA_DIR, 'last-backup'), new Date(Date.now() - 8 * DAY_MS).toISOString())
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'cairn@example.com',
    PUBLIC_URL: `https://localhost:${port}`,
    HOST: '0.0.0.0',
  }
  const { byCheck, hasFailed } = await findings(env, statusOf({ superadmins: 0 }))
  expect(byCheck).toMatchObject({
    superadmin: 'warning: There is none. Make one: “superadmin grant <email>”.',
    mail: expect.stringMatching(/^failed: .*Check SMTP_URL\.$/) as string,
    address: expect.stringMatching(
      /^warning: .* does not answer from here \(ECONNREFUSED\)/,
    ) as string,
    proxy: expect.stringMatching(/^warning: TRUST_PROXY is not set/) as string,
    'demo data': expect.stringMatching(/^warning: DEMO_DATA is on/) as string,
    backup: expect.stringMatching(/^warning: .* That is 8 days ago: make one\.$/) as string,
  })
  expect(hasFailed).toBe(true)
  const plain = await findings({ PUBLIC_URL: 'http://cairn.example.com' })
  expect(plain.byCheck.address).toMatch(/^failed: http:\/\/cairn\.example\.com is not HTTPS/)
})

test('a server for the API of another one is asked for that API, and not for a database', async () => {
  const api = createHttpServer((_incoming, outgoing) => outgoing.writeHead(404).end())
  await once(api.listen(0, '127.0.0.1'), 'listening')
  const { port } = api.address() as AddressInfo
  const API_URL = `http://127.0.0.1:${port}`
  const noDatabase = () => Promise.reject(new StartError('There is no database here.'))
  const good = await findings({ API_URL }, noDatabase)
  expect(good).toEqual({
    byCheck: {
      configuration: `ok: Cairn ${VERSION}, all settings are valid.`,
      API: `ok: ${API_URL} answers.`,
      address: 'ok: Only this machine reaches the server.',
      proxy: 'ok: None is configured.',
    },
    hasFailed: false,
  })
  api.closeAllConnections()
  await new Promise((resolve) => api.close(resolve))
  const { byCheck, hasFailed } = await findings({ API_URL, HOST: '0.0.0.0' }, noDatabase)
  expect(byCheck.API).toBe(
    `failed: ${API_URL} does not answer (ECONNREFUSED). Check API_URL and that server.`,
  )
  expect(byCheck).not.toHaveProperty('demo data')
  expect(hasFailed).toBe(true)
})

test('the doctor names HTTPS for a server on all networks without an address', async () => {
  const { byCheck } = await findings({ HOST: '0.0.0.0' })
  expect(byCheck.address).toMatch(
    /^warning: PUBLIC_URL is not set: .* HTTPS.* phone .* tunnel or a local certificate/,
  )
})

test('the page that users get is compared with that of the build', async () => {
  const DIST = join(DATA_DIR, 'dist')
  await mkdir(DIST)
  await writeFile(join(DIST, 'index.html'), '<title>Cairn</title>')
  let page = ''
  const cdn = createHttpServer(({ url }, outgoing) =>
    outgoing.writeHead(page === '' && url !== '/healthz' ? 404 : 200).end(page),
  )
  await once(cdn.listen(0, '127.0.0.1'), 'listening')
  const { port } = cdn.address() as AddressInfo
  const PUBLIC_URL = `http://127.0.0.1:${port}`
  const found = async () => (await findings({ DIST, PUBLIC_URL })).byCheck.page
  expect(await found()).toBeUndefined()
  page = '<title>Cairn</title>'
  expect(await found()).toBe('ok: It arrives as it was built.')
  page += '<script src="/statistics.js"></script>'
  expect(await found()).toMatch(
    /^warning: \S+\/index\.html is not the page of this build, .* no proxy or CDN changes pages\.$/,
  )
  cdn.closeAllConnections()
  await new Promise((resolve) => cdn.close(resolve))
})

test('the disk of the backups is examined as well', async () => {
  const BACKUP_DIR = join(DATA_DIR, 'elsewhere')
  const env = { BACKUP_EVERY: '1h', BACKUP_DIR }
  const disk = async () => (await findings(env)).byCheck['disk of backups']
  expect(await disk()).toBe(
    `failed: ${BACKUP_DIR} cannot be read. Check BACKUP_DIR and its rights.`,
  )
  await mkdir(BACKUP_DIR)
  expect(await disk()).toMatch(/^\w+: \d+ MB are free in \S+elsewhere\./)
})

test('a setting that is wrong, and a database that does not open, are findings', async () => {
  const wrong = await findings({ PORT: 'http' })
  expect(wrong.byCheck).toEqual({
    configuration: 'failed: PORT must be a whole number from 0 to 65535, not "http".',
  })
  const closed = await findings({}, () => Promise.reject(new StartError('It does not open.')))
  expect(closed.byCheck.database).toBe('failed: It does not open.')
  expect([wrong.hasFailed, closed.hasFailed]).toEqual([true, true])
})

test('backups that the server makes by itself count when they are proven and in time', async () => {
  const dir = join(DATA_DIR, 'backups')
  await mkdir(dir)
  const env = { BACKUP_EVERY: '1h', BACKUP_DIR: dir }
  const backup = async () => (await findings(env)).byCheck['backup']
  const write = (hoursAgo: number, proven: boolean, last_failure: string | null) => {
    const written_at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
    const about = { file: 'cairn-1.backup', written_at, bytes: 1, rows: 1, reason: null, proven }
    return writeBackupStatus(dir, {
      backups: [about],
      writing: null,
      last_attempt_at: written_at,
      last_failure,
    })
  }
  expect(await backup()).toMatch(/^warning: None in .* is proven yet/)
  await write(1, true, null)
  expect(await backup()).toMatch(/^ok: The last proven one is of /)
  await write(1, false, null)
  expect(await backup()).toMatch(/^warning: None in .* is proven yet/)
  await write(3, true, null)
  expect(await backup()).toMatch(/^warning: The last proven one is of .* in time\.$/)
  await write(1, true, 'the disk is full.')
  expect(await backup()).toBe('failed: The last one is not proven: the disk is full.')
  await writeFile(join(dir, 'backups.json'), 'nonsense')
  expect(await backup()).toMatch(/^failed: What is known of the backups cannot be read: /)
})

test('the issuer of sign-ins is examined', async () => {
  const issuer = await OidcIssuer.start()
  const closed = await OidcIssuer.start()
  closed.close()
  const signIn = async (OIDC_ISSUER = issuer.url) => {
    const env = { OIDC_ISSUER, OIDC_CLIENT_ID: OIDC_CLIENT.id, OIDC_NAME: 'Acme' }
    return (await findings(env)).byCheck['sign-in']
  }
  expect(await signIn()).toBe(`ok: ${issuer.url} is ready for sign-ins.`)
  issuer.discovered = { issuer: 'https://id.example' }
  expect(await signIn()).toBe(
    `failed: ${issuer.url} cannot sign anyone in (discovered metadata issuer does not match the expected issuer). Check OIDC_ISSUER and that server.`,
  )
  issuer.close()
  expect(await signIn(closed.url)).toMatch(/ cannot sign anyone in \(ECONNREFUSED\)\./)
})

const POSTGRES = {
  DATABASE_URL: 'postgres://cairn_app@db.example/cairn',
  TOKEN_KEY: 'ab'.repeat(32),
}
const clockOf = async (env: Record<string, string>, status = statusOf()) =>
  (await findings(env, status)).byCheck.clock

test('a clock that no other one is compared with is not called right', async () => {
  expect(await clockOf({})).toBe(
    'ok: Not checked: the database runs on this machine and has its clock. Set it by NTP.',
  )
})

test('the clock is compared with that of a PostgreSQL server', async () => {
  const at = (ms: number) => statusOf({ clock: new Date(Date.now() + ms).toISOString() })
  expect(await clockOf(POSTGRES)).toBe('ok: It agrees with that of the database.')
  expect(await clockOf(POSTGRES, at(-60_000))).toMatch(
    /^warning: It differs from that of the database by 6\d s\. Set both by NTP\.$/,
  )
  expect(await clockOf(POSTGRES, at(90_000))).toMatch(/^warning: .* by (90|8\d) s\./)
})

test('the clock is compared with that of the issuer of sign-ins, whose tokens would count as ended', async () => {
  let headers: Record<string, string> = {}
  const issuer = createHttpServer((_incoming, outgoing) => outgoing.writeHead(404, headers).end())
  await once(issuer.listen(0, '127.0.0.1'), 'listening')
  const { port } = issuer.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const env = { OIDC_ISSUER: url, OIDC_CLIENT_ID: OIDC_CLIENT.id, OIDC_NAME: 'Acme' }
  const dateIn = (ms: number) => new Date(Date.now() + ms).toUTCString()
  expect(await clockOf(env)).toBe(`ok: It agrees with that of ${url}.`)
  expect(await clockOf({ ...env, ...POSTGRES })).toBe(
    `ok: It agrees with that of the database and of ${url}.`,
  )
  for (const ms of [-120_000, 120_000]) {
    headers = { Date: dateIn(ms) }
    expect(await clockOf(env)).toMatch(
      /^warning: It differs from that of http:\S+ by 1[12]\d s\. Set both by NTP\.$/,
    )
  }
  // From a cache.
  headers = { Date: dateIn(-120_000), Age: '120' }
  expect(await clockOf(env)).toBe(`ok: It agrees with that of ${url}.`)
  issuer.closeAllConnections()
  await new Promise((resolve) => issuer.close(resolve))
  expect(await clockOf(env)).toMatch(/^ok: Not checked: /)
})
