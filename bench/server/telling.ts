// What it costs that many devices listen, and how soon they have what one of them posts.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../load/statistics.ts'
import type { SeedResult } from '../fill-database.ts'
import type { Place, Scenario, Side } from '../measure.ts'
import { send, startFloor, startOurs } from './calls.ts'
import type { FromListeners, ToListeners } from './listeners.ts'
import { twoSides } from './sides.ts'
import { usageOf } from './usage.ts'

const LISTENING = 1_000
const POSTS = 20
/** Longer than the time in which the server makes one event of all writes. */
const BETWEEN_POSTS_MS = 150
/** Devices whose memory is measured: at most twenty of one member may listen. */
const IDLE = 4_000
const IDLE_MEMBERS = { plans: 20, people: IDLE / 20 }
/** For what is under way, and for collecting garbage. */
const REST_MS = 30_000
const COLLECTS = { NODE_OPTIONS: `--import ${import.meta.resolve('./collect-garbage.ts')}` }
/** Organisations of the whole load, with fifty devices of three members each. */
const MANY = { organisations: 200, devices: 10_000 }
const SMALL = { plans: 5, people: 3, accounts: 5 }
const MANY_POSTS = 200

/** Devices of these organisations, evenly spread, that listen in a process of their own. */
async function startListeners(
  { ends }: Place,
  filled: readonly SeedResult[],
  url: string,
  count: number,
) {
  const child = fork(join(import.meta.dirname, 'listeners.ts'))
  ends.defer(() => void child.kill('SIGKILL'))
  const failed = once(child, 'exit').then(() => {
    throw new Error('The process that listens has ended.')
  })
  failed.catch(() => undefined)
  const ask = async (message: ToListeners) => {
    child.send(message)
    const [answer] = (await Promise.race([once(child, 'message'), failed])) as [FromListeners]
    return answer
  }
  const perMember = filled.map(({ organisation, people }) =>
    people.map(({ access_token }) => ({ organisation: organisation.id, token: access_token })),
  )
  // One of each organisation after the other.
  const members = Array.from({ length: perMember[0]?.length ?? 0 }, (_, place) =>
    perMember.flatMap((one) => one[place] ?? []),
  ).flat()
  await ask({ open: { url, count, members } })
  return {
    /** Runs `post`; the milliseconds from its start until each device has the event, and the event. */
    async told(organisation: string, post: () => Promise<unknown>) {
      await ask({ watch: { organisation } })
      const from = performance.timeOrigin + performance.now()
      const [[answer]] = (await Promise.all([
        Promise.race([once(child, 'message'), failed]),
        post(),
      ])) as [[Extract<FromListeners, object>], unknown]
      return { times: answer.arrivedAt.map((at) => at - from), event: answer.event }
    },
  }
}

/** Posts and waits each time until all have it: their times, and the processor time of one post in milliseconds. */
async function postToAll(
  pid: number,
  listeners: Awaited<ReturnType<typeof startListeners>>,
  organisation: string,
  post: () => Promise<unknown>,
) {
  const before = await usageOf(pid)
  const times: number[] = []
  let event = ''
  for (let index = 0; index < POSTS; index += 1) {
    const told = await listeners.told(organisation, post)
    times.push(...told.times)
    ;({ event } = told)
    await pause(BETWEEN_POSTS_MS)
  }
  const { seconds } = await usageOf(pid)
  return { times, event, processorMs: ((seconds - before.seconds) * 1_000) / POSTS }
}

async function postTo(url: string, agent: Agent, event: string): Promise<void> {
  const outgoing = request(url, { agent, method: 'POST' })
  outgoing.end(event)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  await incoming.resume().toArray()
}

/**
 * One update with a thousand devices of its organisation listening: the processor time of the server with its
 * database, beside twice that with one device plus that of the relay, and the time until the devices have it.
 */
export async function telling(place: Place): Promise<Scenario> {
  const { filled, env } = await twoSides(place, 'embedded', 100)
  const trusting = { TRUST_PROXY: '1' }
  const crowd = await startOurs(place, { ...env.ours, ...trusting })
  const alone = await startOurs(place, { ...env.floor, ...trusting })
  const relay = await startFloor(place, 'sse-relay.ts')
  const pids = { crowd: crowd.process.pid ?? 0, alone: alone.process.pid ?? 0 }
  const toCrowd = await startListeners(place, [filled], crowd.url, LISTENING)
  const toOne = await startListeners(place, [filled], alone.url, 1)
  const toRelay = await startListeners(place, [filled], relay.url, LISTENING)
  const agent = new Agent({ keepAlive: true })
  place.ends.defer(() => agent.destroy())
  const { id } = filled.organisation
  const names = {
    cost: 'telling 1,000 devices, processor time of one update',
    median: 'telling 1,000 devices, median',
    p99: 'telling 1,000 devices, p99',
  }
  let event = ''
  return {
    measures: {
      [names.cost]: { unit: 'ms', goal: { at: 'most', ratio: 1 } },
      [names.median]: { unit: 'ms', goal: { at: 'most', ratio: 1.3 } },
      [names.p99]: { unit: 'ms', goal: { at: 'most', ratio: 2 } },
    },
    async sample(side: Side) {
      const result = (cost: number, times: number[]) => ({
        [names.cost]: cost,
        [names.median]: percentile(times, 0.5),
        [names.p99]: percentile(times, 0.99),
      })
      if (side === 'ours') {
        const ours = await postToAll(pids.crowd, toCrowd, id, () =>
          send('post', crowd.url, filled, agent),
        )
        ;({ event } = ours)
        return result(ours.processorMs, ours.times)
      }
      const one = await postToAll(pids.alone, toOne, id, () =>
        send('post', alone.url, filled, agent),
      )
      const bare = await postToAll(relay.pid, toRelay, id, () => postTo(relay.url, agent, event))
      return result(2 * one.processorMs + bare.processorMs, bare.times)
    },
  }
}

/** Memory of the server with its database for each device that listens, beside the relay's. */
export async function idleDevice(place: Place): Promise<Scenario> {
  const { filled, others, env } = await twoSides(place, 'embedded', 100, [IDLE_MEMBERS])
  const server = await startOurs(place, { ...env.ours, ...COLLECTS, TRUST_PROXY: '1' })
  // What the first calls take, as caches of the database, is not a device's.
  const agent = new Agent({ keepAlive: true })
  await Promise.all(filled.people.map(() => send('list', server.url, filled, agent)))
  agent.destroy()
  const relay = await startFloor(place, 'sse-relay.ts', COLLECTS)
  const kept = async (pid: number) => {
    await pause(REST_MS)
    process.kill(pid, 'SIGUSR2')
    await pause(REST_MS)
    return (await usageOf(pid)).megabytes
  }
  const perDevice = async (url: string, pid: number) => {
    const before = await kept(pid)
    await startListeners(place, others, url, IDLE)
    return (((await kept(pid)) - before) * 1_024) / IDLE
  }
  const kilobytes = {
    ours: await perDevice(server.url, server.process.pid ?? 0),
    floor: await perDevice(relay.url, relay.pid),
  }
  const name = 'memory of a device that listens'
  return {
    measures: { [name]: { unit: 'kB', goal: { at: 'most', ratio: 2 } } },
    sample: (side) => Promise.resolve({ [name]: kilobytes[side] }),
    exact: true,
  }
}

/** p99 of an update while ten thousand devices of two hundred organisations listen, beside that of a quiet server. */
export async function manyDevices(place: Place): Promise<Scenario> {
  const small = Array.from({ length: MANY.organisations }, () => SMALL)
  const { others, env } = await twoSides(place, 'postgres', 100, small)
  const busy = await startOurs(place, { ...env.ours, TRUST_PROXY: '1' })
  const quiet = await startOurs(place, { ...env.floor, TRUST_PROXY: '1' })
  await startListeners(place, others, busy.url, MANY.devices)
  const urls: Record<Side, string> = { ours: busy.url, floor: quiet.url }
  const agent = new Agent({ keepAlive: true })
  place.ends.defer(() => agent.destroy())
  const name = 'p99 of an update with 10,000 devices listening'
  return {
    measures: { [name]: { unit: 'ms', goal: { at: 'most', ratio: 3 } } },
    async sample(side) {
      const times: number[] = []
      for (let index = 0; index < MANY_POSTS; index += 1) {
        const filled = others[index % others.length]
        if (filled) times.push(await send('post', urls[side], filled, agent))
      }
      return { [name]: percentile(times, 0.99) }
    },
  }
}
