// Our server beside a bare handler that runs the same statements on the same kind of database; and beside
// itself with more processes, and with fewer records.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, request, type IncomingMessage, type RequestOptions } from 'node:http'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { ServerProcess } from '../../tests/server/fixtures/server-process.ts'
import type { SeedResult } from '../fill-database.ts'
import type { Place, Scenario, Side } from '../measure.ts'
import { twoSides, type Kind, type Sides } from './sides.ts'
import { usageOf } from './usage.ts'

const AT_ONCE = 10
/** Requests in a sample; with more plans, each takes longer. */
const REQUESTS = { list: { few: 60, many: 20 }, post: { few: 60, many: 40 } }
/** A server runs for days, so each process, and the floor, is measured after so many calls of each kind. */
const WARM_UP = 1_500
const MANY = 100_000
const FEW = 10_000
type Call = keyof typeof REQUESTS
const CALLS = ['list', 'post'] as const
/** The accepted rate beside that of the bare handler. */
const LEAST = { list: 0.9, post: 0.85 }

/** Our server; it is killed at the end. */
export async function startOurs(
  { folder, ends }: Place,
  env: Record<string, string>,
): Promise<ServerProcess> {
  const server = new ServerProcess(folder, env)
  ends.defer(() => server.stop('SIGKILL').then(() => undefined))
  return server.ready()
}

/** Starts a floor in a process of its own, which ends with the row. */
export async function startFloor(
  { ends }: Place,
  script: string,
  env: Record<string, string> = {},
): Promise<{ url: string; pid: number }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../floors', script)], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.defer(async () => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  })
  let port: string | undefined
  // It may write lines of its log before.
  for (let said = ''; port === undefined; port = /^\d+$/m.exec(said)?.[0]) {
    const [part] = (await once(child.stdout, 'data')) as [Buffer]
    said += part.toString()
  }
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 }
}

/** The URL of the bare handler. */
export async function startBare(place: Place, { filled, others, env }: Sides): Promise<string> {
  const tenants = [filled, ...others].map(({ people, organisation, plans }) => ({
    organisation: organisation.id,
    token: people[0]?.access_token,
    plan: plans[0],
  }))
  const { url } = await startFloor(place, 'bare-server.ts', {
    ...env.floor,
    TENANTS: JSON.stringify(tenants),
  })
  return url
}

/** Sends one request; milliseconds until its answer is complete. Throws when it is no success. */
export async function timed(url: string, options: RequestOptions, body?: string): Promise<number> {
  const from = performance.now()
  const outgoing = request(url, { ...options, method: body ? 'POST' : 'GET' })
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  const parts = (await incoming.toArray()) as Buffer[]
  if (incoming.statusCode !== (body ? 201 : 200)) throw new Error(Buffer.concat(parts).toString())
  return performance.now() - from
}

let turn = 0
const headersOf = ({ people, organisation }: SeedResult) => ({
  Accept: 'application/json',
  Authorization: `Bearer ${people[turn % people.length]?.access_token}`,
  'X-organisation': organisation.id,
})

/** Sends a call of the next member; milliseconds until its answer is complete. */
export function send(call: Call, url: string, filled: SeedResult, agent: Agent): Promise<number> {
  turn += 1
  const headers = headersOf(filled)
  const path = `${url}/api/v1/success-plans`
  if (call === 'list') return timed(path, { agent, headers })
  return timed(
    `${path}/${filled.plans[(turn * 37) % filled.plans.length]}/updates`,
    {
      agent,
      headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': uuidv7() },
    },
    JSON.stringify({ id: uuidv7(), body: 'All sites are live.' }),
  )
}

/** Sends `count` requests, ten at once; requests per second, and the p99 in milliseconds. */
async function load(call: Call, urls: readonly string[], filled: SeedResult, count: number) {
  // New connections for each sample: the server may close an idle one at any time.
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const times: number[] = []
  const from = performance.now()
  const hand = async () => {
    for (let made = 0; made < count / AT_ONCE; made += 1)
      times.push(await send(call, urls[turn % urls.length] ?? '', filled, agent))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, hand))
  agent.destroy()
  const seconds = (performance.now() - from) / 1_000
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99) - 1] ?? NaN
  return { rate: times.length / seconds, p99 }
}

/** Its code is optimised in each process by what that process answers. */
async function warmUp(urls: readonly string[], filled: SeedResult): Promise<void> {
  for (const url of urls) for (const call of CALLS) await load(call, [url], filled, WARM_UP)
}

/** Lists and updates of that many plans, beside the bare handler. */
export const serverOn =
  (kind: Kind, size: 'few' | 'many') =>
  async (place: Place): Promise<Scenario> => {
    const sides = await twoSides(place, kind, size === 'many' ? MANY : FEW)
    const ours = await startOurs(place, sides.env.ours)
    const urls: Record<Side, string> = { ours: ours.url, floor: await startBare(place, sides) }
    const about = `${kind}, ${size === 'many' ? '100,000' : '10,000'} plans`
    await warmUp(Object.values(urls), sides.filled)
    return {
      measures: Object.fromEntries(
        CALLS.flatMap((call) => [
          [`server-${call}, ${about}`, { unit: '/s', goal: { at: 'least', ratio: LEAST[call] } }],
          [`server-${call}, ${about}, p99`, { unit: 'ms', goal: { at: 'most', ratio: 1.5 } }],
        ]),
      ),
      async sample(side) {
        const taken: Record<string, number> = {}
        for (const call of CALLS) {
          const { rate, p99 } = await load(call, [urls[side]], sides.filled, REQUESTS[call][size])
          taken[`server-${call}, ${about}`] = rate
          taken[`server-${call}, ${about}, p99`] = p99
        }
        return taken
      },
    }
  }

/** Four processes on one PostgreSQL beside one; the processor time is that of servers and database for each call. */
export async function serverProcesses(place: Place): Promise<Scenario> {
  const { env, filled, postgres = 0 } = await twoSides(place, 'postgres', FEW)
  const servers = {
    ours: await Promise.all([1, 2, 3, 4].map(() => startOurs(place, env.ours))),
    floor: [await startOurs(place, env.floor)],
  }
  const urlsOf = (side: Side) => servers[side].map(({ url }) => url)
  await warmUp([...urlsOf('ours'), ...urlsOf('floor')], filled)
  const processorMs = async (side: Side) => {
    const pids = [postgres, ...servers[side].map(({ process }) => process.pid ?? 0)]
    const used = await Promise.all(pids.map(usageOf))
    return used.reduce((sum, { seconds }) => sum + seconds * 1_000, 0)
  }
  return {
    measures: Object.fromEntries(
      CALLS.flatMap((call) => [
        [`server-processes, ${call} by 4`, { unit: '/s', goal: { at: 'least', ratio: 1 } }],
        [
          `server-processes, processor time of a ${call}`,
          { unit: 'ms', goal: { at: 'most', ratio: 1.1 } },
        ],
      ]),
    ),
    async sample(side) {
      const taken: Record<string, number> = {}
      for (const call of CALLS) {
        const count = REQUESTS[call].few
        const before = await processorMs(side)
        const { rate } = await load(call, urlsOf(side), filled, count)
        taken[`server-processes, ${call} by 4`] = rate
        taken[`server-processes, processor time of a ${call}`] =
          ((await processorMs(side)) - before) / count
      }
      return taken
    },
  }
}

/** A server's peak memory in MB after sending as many records of a large organisation as of a small one. */
export async function serverMemory(place: Place): Promise<Scenario> {
  const peak = async (plans: number, devices: number) => {
    const { env, filled } = await twoSides(place, 'postgres', plans)
    const server = await startOurs(place, env.ours)
    for (let device = 0; device < devices; device += 1)
      for (let page = { version: 0, more: true }; page.more;) {
        turn += 1
        const url = `${server.url}/api/v1/changes?since=${page.version}`
        page = (await (await fetch(url, { headers: headersOf(filled) })).json()) as typeof page
      }
    const status = await readFile(`/proc/${server.process.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024
  }
  const megabytes = { ours: await peak(MANY, 1), floor: await peak(FEW, MANY / FEW) }
  return {
    measures: { 'server-memory': { unit: 'MB', goal: { at: 'most', ratio: 1.3 } } },
    sample: (side) => Promise.resolve({ 'server-memory': megabytes[side] }),
    exact: true,
  }
}
