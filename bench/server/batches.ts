// The server's part of a replay: 500 updates in batches, beside the same updates as calls of their own.
import { Agent } from 'node:http'
import { v7 as uuidv7 } from 'uuid'
import type { BatchOperation, BatchResults } from '../../contract/schemas/batch.ts'
import type { SeedResult } from '../fill-database.ts'
import type { Place, Scenario } from '../measure.ts'
import { startOurs, timed } from './calls.ts'
import { twoSides } from './sides.ts'
import { usageOf } from './usage.ts'

const PLANS = 10_000
const LANES = 25
const OPERATIONS = 500
/** As a device sends them. */
const BATCH_SIZE = 100
const AT_ONCE = 6

type Person = SeedResult['people'][number]

/** Updates of 25 plans, 20 of each, as a device has them in its outbox. */
const lanesOf = (plans: readonly string[]): BatchOperation[][] =>
  Array.from({ length: LANES }, (_, lane) =>
    Array.from({ length: OPERATIONS / LANES }, () => ({
      key: uuidv7(),
      lane: String(lane),
      method: 'POST',
      path: `/api/v1/success-plans/${plans[lane]}/updates`,
      body: { id: uuidv7(), body: 'All sites are live.' },
    })),
  )

/** Batches and single calls, each by another member: the rate limit of one has room for 600. */
export const serverReplay = async (place: Place): Promise<Scenario> => {
  const { env, filled } = await twoSides(place, 'embedded', PLANS)
  const server = await startOurs(place, env.ours)
  const { url } = server
  const processorSeconds = async () => (await usageOf(server.process.pid ?? 0)).seconds
  let turn = 0
  const headersOf = (person: Person | undefined) => ({
    Accept: 'application/json',
    'Content-Type': 'application/json',
    Authorization: `Bearer ${person?.access_token}`,
    'X-organisation': filled.organisation.id,
  })
  return {
    measures: {
      'server-replay': { unit: 'ms', goal: { at: 'most', ratio: 0.25 } },
      'server-replay, processor time': { unit: 'ms', goal: { at: 'most', ratio: 0.25 } },
    },
    async sample(side) {
      const headers = headersOf(filled.people[(turn += 1) % filled.people.length])
      const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
      const left = lanesOf(filled.plans)
      const single = async ({ key, path, body }: BatchOperation) => {
        const own = { ...headers, 'Idempotency-Key': key }
        await timed(url + path, { agent, headers: own }, JSON.stringify(body))
      }
      /** Sends them until each was begun: after ten seconds the server begins no more. */
      const batch = async (operations: readonly BatchOperation[]) => {
        const response = await fetch(`${url}/api/v1/batch`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ operations }),
        })
        const { data } = (await response.json()) as BatchResults
        const failed = data.find(({ status }) => status !== 201 && status !== null)
        if (failed) throw new Error(JSON.stringify(failed))
        const rest = operations.filter((_, index) => data[index]?.status === null)
        if (rest.length > 0) await batch(rest)
      }
      const sendBatches = async () => {
        const take = () => left.splice(0, BATCH_SIZE / (OPERATIONS / LANES)).flat()
        for (let some = take(); some.length > 0; some = take()) await batch(some)
      }
      const sendSingles = async () => {
        for (let lane = left.shift(); lane; lane = left.shift())
          for (const operation of lane) await single(operation)
      }
      const sender = side === 'ours' ? sendBatches : sendSingles
      const used = await processorSeconds()
      const from = performance.now()
      await Promise.all(Array.from({ length: AT_ONCE }, sender))
      const taken = performance.now() - from
      agent.destroy()
      return {
        'server-replay': taken,
        'server-replay, processor time': ((await processorSeconds()) - used) * 1_000,
      }
    },
  }
}
