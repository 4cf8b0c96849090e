// Mail of the server as `npm start` runs it: through the configured mail server, or into files.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../../server/database/database.ts'
import { createMailQueue } from '../../../server/jobs/mail-queue.ts'
import { createSmtpMailer } from '../../../server/integrations/smtp.ts'
import { loadOrCreateTokenKey } from '../../../server/auth/token-key.ts'
import { ServerProcess, newFolder } from '../fixtures/server-process.ts'
import { MailServer, captureLog } from '../fixtures/mail-server.ts'
import { newDatabase, urlsOf } from '../postgres/databases.ts'
import { CLIENT } from '../fixtures/api-fixture.ts'
import { waitFor } from '../../wait-for.ts'

let post: MailServer
let url: string
beforeAll(async () => {
  post = new MailServer()
  url = await post.url()
})
afterAll(() => new Promise<void>((resolve) => post.server.close(resolve)))

const newAddress = () => `new-${uuidv7()}@example.com`

test('a server with SMTP settings uses them, one without writes files', async () => {
  const folder = await newFolder()
  const outbox = () => readdir(join(folder.data, 'outbox')).catch(() => [])
  const email = newAddress()
  const invitation = async (env: Record<string, string>) => {
    const child = await new ServerProcess(folder.path, env).ready()
    const headers = await child.register(newAddress())
    const made = await child.call('POST', '/api/v1/organisation-invites', { email }, headers)
    expect(made.status).toBe(201)
    return child
  }
  try {
    await folder.reset()
    const connected = await invitation({ SMTP_URL: url, MAIL_FROM: 'Cairn <cairn@example.com>' })
    await waitFor(() => expect(post.accepted.map(({ to }) => to)).toContainEqual([email]))
    await connected.stop('SIGTERM')
    expect(connected.output).toContain('"mail sent"')
    expect(await outbox()).toEqual([])
    const alone = await invitation({})
    // The invitation, and the link that proves the sender's address.
    await waitFor(async () => expect(await outbox()).toHaveLength(2))
    await alone.stop('SIGTERM')
  } finally {
    await folder.remove()
  }
}, 120_000)

test('a mail pending when the server was killed is sent after the restart', async () => {
  const folder = await newFolder()
  const email = newAddress()
  try {
    await folder.reset()
    const env = { MAIL_FROM: 'cairn@example.com' }
    const away = await new ServerProcess(folder.path, {
      ...env,
      SMTP_URL: 'smtp://127.0.0.1:1',
    }).ready()
    const headers = await away.register(newAddress())
    await away.call('POST', '/api/v1/organisation-invites', { email }, headers)
    await waitFor(() => expect(away.output).toContain('"mail not sent"'))
    await away.stop('SIGKILL')
    const database = await openDatabase(folder.data)
    const restarted = createMailQueue(database, {
      mailer: createSmtpMailer({ url, from: 'cairn@example.com' }),
      key: loadOrCreateTokenKey(folder.data),
      // The kill may come before the failed attempt is stored: the mail then becomes due later.
      now: () => new Date(Date.now() + 10 * 60_000),
    })
    await captureLog(() => restarted.deliver())
    await database.close()
    // The registration of the sender has sent a mail as well.
    expect(post.accepted.filter(({ to }) => to.includes(email))).toHaveLength(1)
  } finally {
    await folder.remove()
  }
}, 120_000)

/** The environment of a server on an empty database of the kind that this run tests. */
async function onEmptyDatabase(): Promise<Record<string, string>> {
  const postgres = inject('postgres')
  if (!postgres) return {}
  const { url, ownerUrl } = urlsOf(postgres.folder, await newDatabase(postgres.folder))
  return { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, TOKEN_KEY: 'ab'.repeat(32) }
}

test('logs contain no mailed link and no token', async () => {
  const folder = await newFolder()
  const invited = newAddress()
  const [first, second] = ['the first password', 'the second password']
  const social = 'eyJhbGciOiJSUzI1NiJ9.c29jaWFs.c29jaWFs'
  const signature = 't=1,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd'
  try {
    await folder.reset()
    const env = { SMTP_URL: url, MAIL_FROM: 'cairn@example.com', ...(await onEmptyDatabase()) }
    const server = await new ServerProcess(folder.path, env).ready()
    /** The token in the next mail to the invited user. */
    const tokenOf = async (name: string) => {
      const link = new RegExp(`${name}=([\\w-]{20,})`)
      return waitFor(() => {
        const mail = post.accepted.findLast(
          ({ to, source }) => to[0] === invited && link.test(source),
        )
        const token = link.exec(
          mail?.source.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '',
        )?.[1]
        if (token === undefined) throw new Error(`No mail with ${name} yet.`)
        return token
      })
    }
    const headers = await server.register(newAddress())
    await server.call('POST', '/api/v1/organisation-invites', { email: invited }, headers)
    const invite = await tokenOf('invite_token')
    const person = { name: 'Jo', email: invited, password: first, password_confirmation: first }
    const register = (invite_token: string) =>
      server.call('POST', '/api/v1/register', { ...person, invite_token })
    expect((await register(invite)).status).toBe(201)
    await server.call('POST', '/api/v1/forgot-password', { email: invited })
    const reset = await tokenOf('reset_token')
    const change = { token: reset, password: second, password_confirmation: second }
    for (const status of [204, 404])
      expect((await server.call('POST', '/api/v1/reset-password', change)).status).toBe(status)
    const password = { username: invited, password: second }
    const grant = (more: object) => server.call('POST', '/oauth/token', { ...CLIENT, ...more })
    const signedIn = await grant({ grant_type: 'password', ...password })
    expect(signedIn.status).toBe(200)
    const { refresh_token } = signedIn.json
    const refreshed = await grant({ grant_type: 'refresh_token', refresh_token })
    expect((await grant({ grant_type: 'social', provider: 'google', token: social })).status).toBe(
      400,
    )
    await server.call(
      'POST',
      '/webhooks/stripe',
      { id: 'evt_1' },
      { 'Stripe-Signature': signature },
    )
    await server.stop('SIGTERM')
    expect(server.output).toContain('"mail sent"')
    const secrets = { invite, reset, invited, first, second, social, signature, ...refreshed.json }
    for (const [name, secret] of Object.entries(secrets))
      if (!['token_type', 'expires_in'].includes(name))
        expect(server.output.includes(secret), name).toBe(false)
  } finally {
    await folder.remove()
  }
}, 120_000)
