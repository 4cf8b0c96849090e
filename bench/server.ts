// Our server beside a bare handler that makes the same statements on a database of the same kind.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { Agent, request, type RequestOptions } from 'node:http'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { Server } from '../tests/browser/server.ts'
import { fill, type Filled } from './fill.ts'
import type { Place, Scenario, Side } from './measure.ts'

const PLANS = 10_000
/** Each may call 600 times before the server asks to slow down. */
const PEOPLE = 60
const AT_ONCE = 10
const REQUESTS = { list: 100, post: 60 }

async function startBare(dataDir: string, { people, organisation, plans }: Filled) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floors/bare-server.ts')], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      TOKEN: people[0]?.access_token,
      ORGANISATION: organisation.id,
      PLAN: plans[0],
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: `http://127.0.0.1:${said.toString().trim()}`,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** One request; milliseconds until its whole answer is there. Throws when it is no success. */
async function timed(url: string, options: RequestOptions, body?: string): Promise<number> {
  const from = performance.now()
  const outgoing = request(url, { ...options, method: body ? 'POST' : 'GET' })
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage]
  const parts = (await incoming.toArray()) as Buffer[]
  if (incoming.statusCode !== (body ? 201 : 200)) throw new Error(Buffer.concat(parts).toString())
  return performance.now() - from
}

async function serverScenario({ folder, ends }: Place, kind: 'list' | 'post'): Promise<Scenario> {
  const dataDir = join(folder, `server-${kind}`)
  const filled = await fill(dataDir, { plans: PLANS, people: PEOPLE })
  await cp(dataDir, `${dataDir}-bare`, { recursive: true })
  const server = await Server.start({ dataDir, dist: '' })
  ends.defer(() => server.stop())
  const bare = await startBare(`${dataDir}-bare`, filled)
  ends.defer(() => bare.stop())
  const urls: Record<Side, string> = { ours: server.url, floor: bare.url }
  let turn = 0
  const one = (side: Side, agent: Agent) => {
    turn += 1
    const headers = {
      Accept: 'application/json',
      Authorization: `Bearer ${filled.people[turn % PEOPLE]?.access_token}`,
      'X-organisation': filled.organisation.id,
    }
    const path = `${urls[side]}/api/v1/success-plans`
    if (kind === 'list') return timed(path, { agent, headers })
    return timed(
      `${path}/${filled.plans[(turn * 37) % PLANS]}/updates`,
      {
        agent,
        headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': uuidv7() },
      },
      JSON.stringify({ id: uuidv7(), body: 'All sites are live.' }),
    )
  }
  return {
    measures: {
      [`server-${kind}`]: { unit: '/s', goal: { at: 'least', ratio: 0.85 } },
      [`server-${kind}, p99`]: { unit: 'ms', goal: { at: 'most', ratio: 1.5 } },
    },
    async sample(side) {
      const count = REQUESTS[kind]
      // New connections for each sample: one that lay idle may be closed by the server at any time.
      const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
      const times: number[] = []
      const from = performance.now()
      const hand = async () => {
        for (let made = 0; made < count / AT_ONCE; made += 1) times.push(await one(side, agent))
      }
      await Promise.all(Array.from({ length: AT_ONCE }, hand))
      agent.destroy()
      const seconds = (performance.now() - from) / 1_000
      const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99) - 1] ?? NaN
      return { [`server-${kind}`]: times.length / seconds, [`server-${kind}, p99`]: p99 }
    },
  }
}

export const serverList = (place: Place): Promise<Scenario> => serverScenario(place, 'list')
export const serverPost = (place: Place): Promise<Scenario> => serverScenario(place, 'post')
