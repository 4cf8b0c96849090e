// One address that does its worst against a server, at a steady rate, until it is stopped: registrations,
// made-up tokens, bursts of writes, event streams. Writes what it did, and its share of a processor, at the end.
import { randomBytes } from 'node:crypto'
import { Agent, request, type RequestOptions } from 'node:http'
import { v7 as uuidv7 } from 'uuid'

const { URL: target = '', ADDRESS = '', ORGANISATION = '', PLAN = '' } = process.env
const tokens = JSON.parse(process.env['TOKENS'] ?? '[]') as string[]

const REGISTRATIONS_A_SECOND = 10
const UNKNOWN_TOKENS_A_SECOND = 50
const WRITES_AT_ONCE = 300
const WRITE_PAUSE_MS = 4_000
const STREAMS = 100

const agent = new Agent({ keepAlive: true, maxSockets: WRITES_AT_ONCE + STREAMS })
const statuses: Record<string, number> = {}
let calls = 0

/** One call whose answer is read and thrown away; resolves when it is over, however it ends. */
function call(method: string, path: string, headers: object, body?: unknown): Promise<void> {
  calls += 1
  const options: RequestOptions = {
    agent,
    method,
    headers: { 'X-Forwarded-For': ADDRESS, 'Content-Type': 'application/json', ...headers },
  }
  return new Promise((resolve) => {
    const outgoing = request(target + path, options, (incoming) => {
      const status = String(incoming.statusCode)
      statuses[status] = (statuses[status] ?? 0) + 1
      incoming.resume().once('close', resolve)
    })
    outgoing.once('error', () => resolve())
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const asMember = (index: number) => ({
  Authorization: `Bearer ${tokens[index % tokens.length]}`,
  'X-organisation': ORGANISATION,
})

const register = () => {
  const password = randomBytes(9).toString('base64url')
  const person = { name: 'Nobody', password, password_confirmation: password }
  return call('POST', '/api/v1/register', {}, { ...person, email: `${uuidv7()}@example.com` })
}
const guess = () => {
  const Authorization = `Bearer ${randomBytes(32).toString('base64url')}`
  return call('GET', '/api/v1/userinfo', { Authorization })
}
const write = (index: number) =>
  call(
    'POST',
    `/api/v1/success-plans/${PLAN}/updates`,
    { ...asMember(index), 'Idempotency-Key': uuidv7() },
    { id: uuidv7(), body: 'Mine, mine, mine.' },
  )
/** Kept open, and opened again a second after it ends. */
async function listen(index: number): Promise<void> {
  for (;;) {
    await call('GET', '/api/v1/events', { ...asMember(index), Accept: 'text/event-stream' })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
const writeAtOnce = () => {
  for (let index = 0; index < WRITES_AT_ONCE; index += 1) void write(index)
}

const from = performance.now()
for (let index = 0; index < STREAMS; index += 1) void listen(index)
setInterval(() => void register(), 1_000 / REGISTRATIONS_A_SECOND)
setInterval(() => void guess(), 1_000 / UNKNOWN_TOKENS_A_SECOND)
setInterval(writeAtOnce, WRITE_PAUSE_MS)
writeAtOnce()
console.log('begun')

process.once('SIGTERM', () => {
  const seconds = (performance.now() - from) / 1_000
  const { user, system } = process.cpuUsage()
  const share = (user + system) / 1e6 / seconds
  console.log(
    `${(calls / seconds).toFixed(0)} calls a second, ${(share * 100).toFixed(0)} % of a core, answers ${JSON.stringify(statuses)}`,
  )
  process.exit(0)
})
