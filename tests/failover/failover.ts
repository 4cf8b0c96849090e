// `node tests/failover/failover.ts`, part of `npm run test:long`: the primary database is lost five times
// while devices post. Nothing confirmed may be lost or doubled, writes go on within a minute, the server
// says meanwhile when to come back, and event streams continue by themselves.
import { setTimeout as pause } from 'node:timers/promises'
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid'
import { Stack, until } from './stack.ts'

const KILLS = 5
const DEVICES = 12
const MAX_OUTAGE_MS = 60_000
const CLIENT = { client_id: 'cairn-app', client_secret: 'cairn-app-is-public', scope: '' }

type Headers = Record<string, string>

const violations: string[] = []
const confirmed = new Map<string, number>()
const outages = new Map<string, number>()
const posting = new AbortController()
const following = new AbortController()
const stack = await Stack.start(3)

async function call(method: string, path: string, body?: unknown, headers: Headers = {}) {
  const response = await fetch(stack.url + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { response, json: (text ? JSON.parse(text) : {}) as Record<string, unknown> }
}

async function register(): Promise<Headers> {
  const user = { name: 'Mia Berg', email: 'mia@example.com' }
  const password = 'correct horse battery'
  await call('POST', '/api/v1/register', { ...user, password, password_confirmation: password })
  const grant = { ...CLIENT, grant_type: 'password', username: user.email, password }
  const { json } = await call('POST', '/oauth/token', grant)
  const headers = { Authorization: `Bearer ${String(json['access_token'])}` }
  const { json: made } = await call('POST', '/api/v1/organisations', { name: 'Ridge' }, headers)
  return { ...headers, 'X-organisation': (made['data'] as { id: string }).id }
}

/** Sends one update until it is confirmed, with the same key, as a device does. */
async function post(plan: string, headers: Headers): Promise<void> {
  const body = { id: uuidv7(), body: `Written at ${new Date().toISOString()}` }
  const key = { 'Idempotency-Key': uuidv4() }
  for (;;) {
    const sent = await call('POST', `/api/v1/success-plans/${plan}/updates`, body, {
      ...headers,
      ...key,
    }).catch((error: unknown) => {
      outages.set(
        `no answer: ${String(error)}`,
        (outages.get(`no answer: ${String(error)}`) ?? 0) + 1,
      )
    })
    if (sent && [200, 201].includes(sent.response.status)) break
    if (sent) {
      const { status, headers: given } = sent.response
      const seen = `${status}${given.has('Retry-After') ? ' with Retry-After' : ''}`
      outages.set(seen, (outages.get(seen) ?? 0) + 1)
      if (seen !== '503 with Retry-After' && seen !== '409 with Retry-After')
        violations.push(`answered ${seen}: ${JSON.stringify(sent.json)}`)
    }
    await pause(500)
  }
  confirmed.set(body.id, Date.now())
}

async function device(plan: string, headers: Headers): Promise<void> {
  while (!posting.signal.aborted) {
    await post(plan, headers)
    await pause(50)
  }
}

/** The last version that a stream has sent, over as many connections as needed. */
function follow(headers: Headers) {
  const seen = { version: 0 }
  const listen = async () => {
    const response = await fetch(`${stack.url}/api/v1/events`, { headers })
    const decoder = new TextDecoder()
    for await (const part of response.body ?? []) {
      for (const [, version] of decoder.decode(part).matchAll(/"version":(\d+)/g))
        seen.version = Math.max(seen.version, Number(version))
      if (following.signal.aborted) return
    }
  }
  void (async () => {
    while (!following.signal.aborted) {
      await listen().catch(() => undefined)
      await pause(1_000)
    }
  })()
  return seen
}

async function versionOf(headers: Headers): Promise<number> {
  const { json } = await call('GET', '/api/v1/changes?since=0', undefined, headers)
  return Number(json['version'])
}

async function storedUpdates(plan: string, headers: Headers): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const path = `/api/v1/success-plans/${plan}/updates?per_page=500&page=${page}`
    const { response, json } = await call('GET', path, undefined, headers)
    if (!response.ok) throw new Error(`The updates answer ${response.status}.`)
    ids.push(...(json['data'] as { id: string }[]).map(({ id }) => id))
    if (page >= (json['meta'] as { last_page: number }).last_page) return ids
  }
}

try {
  const headers = await register()
  const plan = uuidv7()
  const made = { id: plan, title: 'Survives', type: 'project' }
  await call('POST', '/api/v1/success-plans', made, headers)
  const streams = Array.from({ length: 3 }, () => follow(headers))
  const devices = Array.from({ length: DEVICES }, () => device(plan, headers))
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await stack.isReplicated()
    await pause(2_000)
    const lost = await stack.killPrimary()
    const killedAt = Date.now()
    const resumed = () => {
      // A second later, because answers that were on their way may still arrive.
      const at = Math.min(...[...confirmed.values()].filter((one) => one > killedAt + 1_000))
      return Number.isFinite(at) ? Promise.resolve(at) : Promise.reject(new Error('No write yet.'))
    }
    const outageMs = (await until(resumed, 3 * MAX_OUTAGE_MS)) - killedAt
    console.log(`${kill}. Without ${lost} writes went on after ${Math.round(outageMs / 1_000)} s.`)
    if (outageMs > MAX_OUTAGE_MS) violations.push(`Writes stopped for ${outageMs} ms.`)
    stack.revive(lost)
  }
  posting.abort()
  await Promise.all(devices)
  const stored = await storedUpdates(plan, headers)
  const lost = [...confirmed.keys()].filter((id) => !stored.includes(id))
  if (lost.length > 0) violations.push(`${lost.length} confirmed updates are lost.`)
  if (new Set(stored).size !== stored.length || stored.length !== confirmed.size)
    violations.push(`${stored.length} updates are stored, and ${confirmed.size} were confirmed.`)
  const version = await versionOf(headers)
  await until(async () => {
    const behind = streams.filter((one) => one.version < version)
    if (behind.length > 0) throw new Error(`${behind.length} streams are behind ${version}.`)
    await Promise.resolve()
  }, 30_000).catch((error: unknown) => violations.push(String(error)))
  console.log(`${confirmed.size} updates were confirmed; meanwhile:`, Object.fromEntries(outages))
} finally {
  posting.abort()
  following.abort()
  await stack.stop()
}
for (const violation of new Set(violations)) console.error(violation)
process.exit(violations.length === 0 ? 0 : 1)
