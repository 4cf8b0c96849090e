// Mail through a real mail server on the loopback that is down, slow, or rejects.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { createMailQueue, type MailQueue } from '../../../server/jobs/mail-queue.ts'
import { createSmtpMailer } from '../../../server/integrations/smtp.ts'
import { MailServer, captureLog } from '../fixtures/mail-server.ts'
import { ApiFixture, type ApiUser } from '../fixtures/api-fixture.ts'

let world: ApiFixture
let post: MailServer
let queue: MailQueue
let mia: ApiUser

const queueAt = (url: string) =>
  createMailQueue(world.database, {
    mailer: createSmtpMailer({ url, from: 'Cairn <cairn@example.com>' }),
    key: world.tokenKey,
    now: () => world.now,
  })

let url: string
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 30 * 86_400 } })
  post = new MailServer()
  url = await post.url()
  queue = queueAt(url)
  mia = (await world.createOwner('Mia')).atApp(world.appWith({ mail: queue }))
})
beforeEach(async () => {
  post.rejection = undefined
  post.holdResponses = undefined
  await world.database.system((tx) => tx.deleteFrom('mails').execute())
})
afterAll(async () => {
  await new Promise<void>((resolve) => post.server.close(resolve))
  await world.close()
})

const waiting = () => world.database.system((tx) => tx.selectFrom('mails').selectAll().execute())
const invite = (email: string, by = mia) => by.post('/api/v1/organisation-invites', { email })
const newAddress = () => `new-${uuidv7()}@example.com`

/** Decodes quoted-printable lines. */
const plain = (source: string) =>
  source
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

test('an invitation arrives once as text and HTML, and its queue entry is deleted', async () => {
  const email = newAddress()
  await captureLog(async () => {
    expect((await invite(email)).status).toBe(201)
    await queue.deliver()
  })
  const mails = post.accepted.filter(({ to }) => to.includes(email))
  expect(mails).toHaveLength(1)
  const [mail] = mails
  expect(mail?.from).toBe('cairn@example.com')
  const source = plain(mail?.source ?? '')
  expect(source).toMatch(/^Content-Type: multipart\/alternative/m)
  expect(source).toMatch(
    /^https:\/\/cairn\.example\.com\/auth\/registration#invite_token=[\w-]+\r$/m,
  )
  expect(source).toMatch(/<a href="https:\/\/cairn\.example\.com\/auth\/registration#invite_token=/)
  expect(source).not.toMatch(/^List-Unsubscribe/m)
  expect(await waiting()).toEqual([])
})

test('names cannot inject headers or HTML', async () => {
  const mail = {
    to: 'victim@example.com',
    subject: 'Eve\r\nBcc: eve@example.com\r\n\r\n<b>invites you',
    text: 'https://evil.example <script>alert(1)</script> & "more"\n\nBcc: x',
  }
  await createSmtpMailer({ url, from: 'cairn@example.com' }).send(mail, 'fixed')
  const { source = '', to } = post.accepted.at(-1) ?? {}
  expect(to).toEqual(['victim@example.com'])
  const [headers = ''] = source.split('\r\n\r\n')
  expect(headers).not.toMatch(/^bcc:/im)
  expect(headers).toMatch(/^Message-ID: <fixed@example\.com>$/im)
  const html = plain(source.slice(source.indexOf('<!doctype html>')))
  expect(html).toContain('https://evil.example &lt;script&gt;alert(1)&lt;/script&gt; &amp;')
  expect(html).not.toContain('<a ')
})

test('an address field with several addresses is sent to none', async () => {
  const before = post.accepted.length
  const mailer = createSmtpMailer({ url, from: 'cairn@example.com' })
  for (const to of ['a@example.com, eve@example.com', 'a@example.com\r\nRCPT TO:<eve@example.com>'])
    await mailer.send({ to, subject: 'S', text: 'T' }, 'id').catch(() => undefined)
  expect(post.accepted.slice(before).flatMap((mail) => mail.to)).not.toContain('eve@example.com')
})

test('a digest says how to unsubscribe', async () => {
  const unsubscribe = 'https://cairn.example.com/settings/notifications'
  const mail = { to: 'mia@example.com', subject: 'Your day', text: 'T', unsubscribe }
  await createSmtpMailer({ url, from: 'cairn@example.com' }).send(mail, 'id')
  expect(post.accepted.at(-1)?.source).toMatch(
    /^List-Unsubscribe: <https:\/\/cairn\.example\.com\/settings\/notifications>/m,
  )
})

test('an unavailable mail server fails no request and gets the mail later', async () => {
  const email = newAddress()
  const away = queueAt('smtp://127.0.0.1:1')
  const app = world.appWith({ mail: away })
  let request_id: string | null = null
  const lines = await captureLog(async () => {
    const answer = await invite(email, mia.atApp(app))
    expect(answer.status).toBe(201)
    request_id = answer.headers.get('X-Request-Id')
    await away.deliver()
  })
  expect(lines).toMatchObject([
    { level: 'error', event: 'mail not sent', request_id, attempts: 1, code: 'ESOCKET' },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/invite_token|@example/)
  await captureLog(() => queue.deliver())
  expect(await waiting()).toHaveLength(1)
  world.advance({ minutes: 1 })
  const sent = await captureLog(() => queue.deliver())
  expect(sent).toMatchObject([{ event: 'mail sent', request_id, attempts: 2 }])
  expect(post.accepted.filter(({ to }) => to.includes(email))).toHaveLength(1)
  expect(await waiting()).toEqual([])
})

test('a slow mail server delays no request', async () => {
  let release = () => {}
  post.holdResponses = new Promise((resolve) => (release = resolve))
  const before = post.accepted.length
  const lines = await captureLog(async () => {
    expect((await invite(newAddress())).status).toBe(201)
    expect((await mia.get('/api/v1/userinfo')).status).toBe(200)
    expect(post.accepted).toHaveLength(before)
    release()
    await queue.deliver()
  })
  expect(lines).toMatchObject([{ event: 'mail sent', attempts: 1 }])
  expect(post.accepted).toHaveLength(before + 1)
})

test('a rejected recipient is not retried, a busy server is', async () => {
  post.rejection = { code: 550, words: 'No such user new@example.com' }
  const refused = await captureLog(async () => {
    await invite(newAddress())
    await queue.deliver()
  })
  expect(refused).toMatchObject([{ event: 'mail given up' }])
  expect(JSON.stringify(refused)).not.toContain('new@example.com')
  expect(await waiting()).toEqual([])
  post.rejection = { code: 451, words: 'Later, please' }
  const busy = await captureLog(async () => {
    await invite(newAddress())
    await queue.deliver()
  })
  expect(busy).toMatchObject([{ event: 'mail not sent' }])
  expect(await waiting()).toHaveLength(1)
})

test('retries back off and end when the mail has expired', async () => {
  post.rejection = { code: 451, words: 'Later, please' }
  const begin = world.now.getTime()
  const until = new Date(begin + 6 * 3_600_000).toISOString()
  const attempts: number[] = []
  const lines = await captureLog(async () => {
    const mail = { to: 'mia@example.com', subject: 'S', text: 'T' }
    await world.database.auth((tx) => queue.enqueue(tx, mail, { expiresAt: until }))
    for (let [row] = await waiting(); row; [row] = await waiting()) {
      world.advance({ seconds: (Date.parse(row.next_attempt_at) - world.now.getTime()) / 1000 })
      attempts.push((world.now.getTime() - begin) / 60_000)
      await queue.deliver()
    }
  })
  expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243, 303])
  expect(lines.at(-1)).toMatchObject({ event: 'mail given up', attempts: 11 })
})

test('an expired mail is not sent', async () => {
  const before = post.accepted.length
  const until = new Date(world.now.getTime() + 60_000).toISOString()
  await world.database.auth((tx) =>
    queue.enqueue(tx, { to: 'mia@example.com', subject: 'S', text: 'T' }, { expiresAt: until }),
  )
  world.advance({ minutes: 1 })
  expect(await captureLog(() => queue.deliver())).toMatchObject([{ event: 'mail given up' }])
  expect(post.accepted).toHaveLength(before)
  expect(await waiting()).toEqual([])
})

test('two processes send each mail once', async () => {
  const other = queueAt(url)
  const addresses = Array.from({ length: 6 }, newAddress)
  await captureLog(async () => {
    for (const to of addresses)
      await world.database.auth((tx) =>
        queue.enqueue(
          tx,
          { to, subject: 'S', text: 'T' },
          { expiresAt: '2030-01-01T00:00:00.000Z' },
        ),
      )
    await Promise.all([queue.deliver(), other.deliver()])
  })
  const sent = post.accepted.flatMap(({ to }) => to).filter((to) => addresses.includes(to))
  expect(sent.toSorted()).toEqual(addresses.toSorted())
})

test('a mail whose transaction was rolled back is not sent', async () => {
  const before = post.accepted.length
  const failing = world.database.auth(async (tx) => {
    const mail = { to: 'never@example.com', subject: 'S', text: 'T' }
    await queue.enqueue(tx, mail, { expiresAt: '2030-01-01T00:00:00.000Z' })
    throw new Error('No.')
  })
  await expect(failing).rejects.toThrow('No.')
  await queue.deliver()
  expect(post.accepted).toHaveLength(before)
})

test('queued mails are encrypted in the database', async () => {
  post.rejection = { code: 451, words: 'Later, please' }
  await captureLog(async () => {
    await invite('secret-address@example.com')
    await queue.deliver()
  })
  const [row] = await waiting()
  expect(Buffer.from(row?.ciphertext ?? []).toString('latin1')).not.toMatch(/invite_token|@example/)
  const read = world.database.tenant(mia.organisation, (tx) =>
    tx.selectFrom('mails').select('id').execute(),
  )
  await expect(read).rejects.toThrow()
})
