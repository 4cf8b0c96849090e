// What another organisation feels while one address does its worst, beside a bare handler under the same attack.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { v7 as uuidv7 } from 'uuid'
import type { SeedResult } from '../fill-database.ts'
import type { Place, Scenario, Side } from '../measure.ts'
import { startBare, startOurs, timed } from './calls.ts'
import { twoSides, type Kind } from './sides.ts'

const PLANS = 2_000
const ATTACKER = { plans: 20, people: 20 }
/** The neighbour's own calls: always as many a second, so that slow answers do not thin out the calls. */
const CALLS_A_SECOND = 30
const SECONDS = 8
/** Every third call writes. */
const WRITE_EACH = 3
/** A quiet time that is three times as good is good enough, whatever the bare handler does. */
const ENOUGH = 3
const GOAL = 1.3
/** A call that is refused counts as long as the app waits for an answer. */
const NOT_SERVED_MS = 20_000

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const p99Of = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? NaN

/** The neighbour's reads and writes for eight seconds: the p99 of each in milliseconds. */
async function visit(url: string, { people, organisation, plans }: SeedResult) {
  const agent = new Agent({ keepAlive: true })
  const taken: Record<'read' | 'write', number[]> = { read: [], write: [] }
  const underWay: Promise<unknown>[] = []
  const from = performance.now()
  for (let index = 0; index < CALLS_A_SECOND * SECONDS; index += 1) {
    await sleep(Math.max(0, from + (index * 1_000) / CALLS_A_SECOND - performance.now()))
    const headers = {
      Authorization: `Bearer ${people[index % people.length]?.access_token}`,
      'X-organisation': organisation.id,
      'X-Forwarded-For': '198.51.100.7',
      'Content-Type': 'application/json',
    }
    const isWrite = index % WRITE_EACH === 0
    const path = `${url}/api/v1/success-plans`
    const call = isWrite
      ? timed(
          `${path}/${plans[(index * 37) % plans.length]}/updates`,
          { agent, headers: { ...headers, 'Idempotency-Key': uuidv7() } },
          JSON.stringify({ id: uuidv7(), body: 'All sites are live.' }),
        )
      : timed(path, { agent, headers })
    const done = call.catch(() => NOT_SERVED_MS)
    underWay.push(done.then((ms) => taken[isWrite ? 'write' : 'read'].push(ms)))
  }
  await Promise.all(underWay)
  agent.destroy()
  return { read: p99Of(taken.read), write: p99Of(taken.write) }
}

let attacks = 0

/** Runs `work` while an address of its own attacks; writes down the attack's rate. */
async function underAttack<T>(url: string, by: SeedResult, side: Side, work: () => Promise<T>) {
  attacks += 1
  const child = spawn(process.execPath, [join(import.meta.dirname, '../load/attacker.ts')], {
    env: {
      PATH: process.env['PATH'],
      URL: url,
      ADDRESS: `203.0.113.${attacks % 256}`,
      ORGANISATION: by.organisation.id,
      PLAN: by.plans[0],
      TOKENS: JSON.stringify(by.people.map(({ access_token }) => access_token)),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  try {
    await once(child.stdout, 'data')
    return await work()
  } finally {
    const report = text(child.stdout)
    child.kill('SIGTERM')
    await exited
    console.error(`attack on ${side}: ${(await report).trim()}`)
  }
}

/** p99 of another organisation's reads and writes under attack, as a multiple of the quiet one. */
export const noisyNeighbour =
  (kind: Kind) =>
  async (place: Place): Promise<Scenario> => {
    const sides = await twoSides(place, kind, PLANS, [ATTACKER])
    const { filled, others, env } = sides
    const [other] = others
    if (!other) throw new Error('There is no attacker.')
    const ours = await startOurs(place, { ...env.ours, TRUST_PROXY: '1' })
    const urls: Record<Side, string> = { ours: ours.url, floor: await startBare(place, sides) }
    const nameOf = (call: string) => `noisy-neighbour, ${call} p99, ${kind}`
    return {
      measures: Object.fromEntries(
        ['read', 'write'].map((call) => [
          nameOf(call),
          { unit: '×', goal: { at: 'most', ratio: GOAL } },
        ]),
      ),
      async sample(side) {
        const quiet = await visit(urls[side], filled)
        const noisy = await underAttack(urls[side], other, side, () => visit(urls[side], filled))
        const ratioOf = (call: 'read' | 'write') => {
          const ratio = noisy[call] / quiet[call]
          return side === 'floor' ? Math.max(ratio, ENOUGH / GOAL) : ratio
        }
        return { [nameOf('read')]: ratioOf('read'), [nameOf('write')]: ratioOf('write') }
      },
    }
  }
