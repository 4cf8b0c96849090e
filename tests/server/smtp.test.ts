// Mail by a real mail server on the loopback, which is away, slow, or says no.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { createMailQueue, type MailQueue } from '../../server/outside/mail-queue.ts'
import { createSmtpMailer } from '../../server/outside/smtp.ts'
import { MailServer, logged } from './mail-server.ts'
import { World, type Person } from './world.ts'

let world: World
let post: MailServer
let queue: MailQueue
let mia: Person

const queueAt = (url: string) =>
  createMailQueue(world.database, {
    mailer: createSmtpMailer({ url, from: 'Cairn <cairn@example.com>' }),
    key: world.tokenKey,
    now: () => world.now,
  })

let url: string
beforeAll(async () => {
  world = await World.open({ tokenLifetimes: { accessTokenSeconds: 30 * 86_400 } })
  post = new MailServer()
  url = await post.url()
  queue = queueAt(url)
  mia = (await world.owner('Mia')).at(world.appWith({ mail: queue }))
})
beforeEach(async () => {
  post.refusal = undefined
  post.hold = undefined
  await world.database.system((tx) => tx.deleteFrom('mails').execute())
})
afterAll(async () => {
  await new Promise<void>((resolve) => post.server.close(resolve))
  await world.close()
})

const waiting = () => world.database.system((tx) => tx.selectFrom('mails').selectAll().execute())
const invite = (email: string, by = mia) => by.post('/api/v1/organisation-invites', { email })
const newAddress = () => `new-${uuidv7()}@example.com`

/** Quoted-printable lines as they were. */
const plain = (source: string) =>
  source
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

test('an invitation arrives as plain text and as HTML, once, and nothing is kept of it', async () => {
  const email = newAddress()
  await logged(async () => {
    expect((await invite(email)).status).toBe(201)
    await queue.deliver()
  })
  const mails = post.taken.filter(({ to }) => to.includes(email))
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

test('names break out of neither headers nor HTML', async () => {
  const mail = {
    to: 'victim@example.com',
    subject: 'Eve\r\nBcc: eve@example.com\r\n\r\n<b>invites you',
    text: 'https://evil.example <script>alert(1)</script> & "more"\n\nBcc: x',
  }
  await createSmtpMailer({ url, from: 'cairn@example.com' }).send(mail, 'fixed')
  const { source = '', to } = post.taken.at(-1) ?? {}
  expect(to).toEqual(['victim@example.com'])
  const [headers = ''] = source.split('\r\n\r\n')
  expect(headers).not.toMatch(/^bcc:/im)
  expect(headers).toMatch(/^Message-ID: <fixed@example\.com>$/im)
  const html = plain(source.slice(source.indexOf('<!doctype html>')))
  expect(html).toContain('https://evil.example &lt;script&gt;alert(1)&lt;/script&gt; &amp;')
  expect(html).not.toContain('<a ')
})

test('an address that holds several is sent to none of them', async () => {
  const before = post.taken.length
  const mailer = createSmtpMailer({ url, from: 'cairn@example.com' })
  for (const to of ['a@example.com, eve@example.com', 'a@example.com\r\nRCPT TO:<eve@example.com>'])
    await mailer.send({ to, subject: 'S', text: 'T' }, 'id').catch(() => undefined)
  expect(post.taken.slice(before).flatMap((mail) => mail.to)).not.toContain('eve@example.com')
})

test('a digest says where to stop it', async () => {
  const unsubscribe = 'https://cairn.example.com/settings/notifications'
  const mail = { to: 'mia@example.com', subject: 'Your day', text: 'T', unsubscribe }
  await createSmtpMailer({ url, from: 'cairn@example.com' }).send(mail, 'id')
  expect(post.taken.at(-1)?.source).toMatch(
    /^List-Unsubscribe: <https:\/\/cairn\.example\.com\/settings\/notifications>/m,
  )
})

test('a mail server that is away fails no request, and gets the mail when it is back', async () => {
  const email = newAddress()
  const away = queueAt('smtp://127.0.0.1:1')
  const app = world.appWith({ mail: away })
  let request_id: string | null = null
  const lines = await logged(async () => {
    const answer = await invite(email, mia.at(app))
    expect(answer.status).toBe(201)
    request_id = answer.headers.get('X-Request-Id')
    await away.deliver()
  })
  expect(lines).toMatchObject([
    { level: 'error', event: 'mail not sent', request_id, attempts: 1, code: 'ESOCKET' },
  ])
  expect(JSON.stringify(lines)).not.toMatch(/invite_token|@example/)
  await logged(() => queue.deliver())
  expect(await waiting()).toHaveLength(1)
  world.pass({ minutes: 1 })
  const sent = await logged(() => queue.deliver())
  expect(sent).toMatchObject([{ event: 'mail sent', request_id, attempts: 2 }])
  expect(post.taken.filter(({ to }) => to.includes(email))).toHaveLength(1)
  expect(await waiting()).toEqual([])
})

test('a slow mail server holds up no request', async () => {
  let release = () => {}
  post.hold = new Promise((resolve) => (release = resolve))
  const before = post.taken.length
  const lines = await logged(async () => {
    expect((await invite(newAddress())).status).toBe(201)
    expect((await mia.get('/api/v1/userinfo')).status).toBe(200)
    expect(post.taken).toHaveLength(before)
    release()
    await queue.deliver()
  })
  expect(lines).toMatchObject([{ event: 'mail sent', attempts: 1 }])
  expect(post.taken).toHaveLength(before + 1)
})

test('a refused recipient is not tried again, a busy server is', async () => {
  post.refusal = { code: 550, words: 'No such user new@example.com' }
  const refused = await logged(async () => {
    await invite(newAddress())
    await queue.deliver()
  })
  expect(refused).toMatchObject([{ event: 'mail given up' }])
  expect(JSON.stringify(refused)).not.toContain('new@example.com')
  expect(await waiting()).toEqual([])
  post.refusal = { code: 451, words: 'Later, please' }
  const busy = await logged(async () => {
    await invite(newAddress())
    await queue.deliver()
  })
  expect(busy).toMatchObject([{ event: 'mail not sent' }])
  expect(await waiting()).toHaveLength(1)
})

test('attempts come at longer and longer intervals, and end when the mail is of no use', async () => {
  post.refusal = { code: 451, words: 'Later, please' }
  const begin = world.now.getTime()
  const until = new Date(begin + 6 * 3_600_000).toISOString()
  const attempts: number[] = []
  const lines = await logged(async () => {
    const mail = { to: 'mia@example.com', subject: 'S', text: 'T' }
    await world.database.auth((tx) => queue.enqueue(tx, mail, { expiresAt: until }))
    for (let [row] = await waiting(); row; [row] = await waiting()) {
      world.pass({ seconds: (Date.parse(row.due_at) - world.now.getTime()) / 1000 })
      attempts.push((world.now.getTime() - begin) / 60_000)
      await queue.deliver()
    }
  })
  expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243, 303])
  expect(lines.at(-1)).toMatchObject({ event: 'mail given up', attempts: 11 })
})

test('a mail that comes too late is not sent', async () => {
  const before = post.taken.length
  const until = new Date(world.now.getTime() + 60_000).toISOString()
  await world.database.auth((tx) =>
    queue.enqueue(tx, { to: 'mia@example.com', subject: 'S', text: 'T' }, { expiresAt: until }),
  )
  world.pass({ minutes: 1 })
  expect(await logged(() => queue.deliver())).toMatchObject([{ event: 'mail given up' }])
  expect(post.taken).toHaveLength(before)
  expect(await waiting()).toEqual([])
})

test('two processes send each mail once', async () => {
  const other = queueAt(url)
  const addresses = Array.from({ length: 6 }, newAddress)
  await logged(async () => {
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
  const sent = post.taken.flatMap(({ to }) => to).filter((to) => addresses.includes(to))
  expect(sent.toSorted()).toEqual(addresses.toSorted())
})

test('a mail whose transaction was rolled back is not sent', async () => {
  const before = post.taken.length
  const failing = world.database.auth(async (tx) => {
    const mail = { to: 'never@example.com', subject: 'S', text: 'T' }
    await queue.enqueue(tx, mail, { expiresAt: '2030-01-01T00:00:00.000Z' })
    throw new Error('No.')
  })
  await expect(failing).rejects.toThrow('No.')
  await queue.deliver()
  expect(post.taken).toHaveLength(before)
})

test('what waits can be read by nobody who reads the database', async () => {
  post.refusal = { code: 451, words: 'Later, please' }
  await logged(async () => {
    await invite('secret-address@example.com')
    await queue.deliver()
  })
  const [row] = await waiting()
  expect(Buffer.from(row?.sealed ?? []).toString('latin1')).not.toMatch(/invite_token|@example/)
  const read = world.database.tenant(mia.organisation, (tx) =>
    tx.selectFrom('mails').select('id').execute(),
  )
  await expect(read).rejects.toThrow()
})
