// Puts a server on this machine under the load of many devices, and checks that no confirmed update is lost or doubled.
import { mkdir, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openDatabase, openEmbeddedDatabase, takeDataDir } from '../../server/database/database.ts'
import type { MemoryLimit } from '../../tests/server/fixtures/memory-limit.ts'
import { ServerProcess } from '../../tests/server/fixtures/server-process.ts'
import { fillDatabase, type SeedResult } from '../fill-database.ts'
import { usageOf } from '../server/usage.ts'
import { Device, type Load } from './device.ts'
import { Durations, type LoadArguments } from './statistics.ts'

const START = join(import.meta.dirname, '../../server/start.ts')
const PLANS_PER_ACCOUNT = 5
const WITHOUT_POSTGRES = join(
  import.meta.dirname,
  '../../tests/server/fixtures/without-postgres.ts',
)

export interface LoadResult {
  /** Tables and lines for the terminal. */
  report: string
  confirmed: number
  /** Ids of confirmed updates that the server does not have exactly once. */
  wrong: string[]
}

/** What is filled in: each organisation with its share of the members, of whom each has one device. */
async function fillAll(dataDir: string, given: LoadArguments) {
  const { devices, organisations, embedded, plans } = given
  const accounts = Math.ceil(plans / PLANS_PER_ACCOUNT)
  const unlock = embedded ? takeDataDir(dataDir) : undefined
  const database = await (embedded ? openEmbeddedDatabase(dataDir) : openDatabase(dataDir))
  const filled: SeedResult[] = []
  for (let index = 0; index < organisations; index += 1) {
    const people = Math.floor((devices + index) / organisations)
    filled.push(await fillDatabase(database, { plans, accounts, people }))
  }
  await database.vacuum()
  await database.close()
  unlock?.()
  return filled
}

/** The ids of confirmed updates that an organisation does not have exactly once. */
async function findWrong(url: string, { organisation, people }: SeedResult, ids: Set<string>) {
  const counts = new Map<string, number>()
  const headers = {
    Authorization: `Bearer ${people[0]?.access_token}`,
    'X-organisation': organisation.id,
  }
  for (let page = { version: 0, more: true }; page.more;) {
    const response = await fetch(`${url}/api/v1/changes?since=${page.version}`, { headers })
    if (!response.ok) throw new Error(await response.text())
    const next = (await response.json()) as typeof page & {
      data: { success_plan_updates: { body: string }[] }
    }
    for (const { body } of next.data.success_plan_updates)
      counts.set(body, (counts.get(body) ?? 0) + 1)
    page = next
  }
  return [...ids].filter((id) => counts.get(`Update ${id}`) !== 1)
}

/**
 * Runs the load on a new server in `folder`, under `limit` with a backup every ten minutes. Half-way, all devices come
 * at once and download everything.
 */
export async function runLoad(
  given: LoadArguments,
  folder: string,
  limit?: MemoryLimit,
): Promise<LoadResult> {
  const { devices, minutes, embedded } = given
  const dist = join(folder, 'dist')
  await mkdir(dist, { recursive: true })
  await writeFile(join(dist, 'index.html'), '<!doctype html>')
  const filled = await fillAll(join(folder, 'data'), given)
  const command = [process.execPath, START]
  const server = new ServerProcess(
    folder,
    {
      TRUST_PROXY: '1',
      ...(limit && { BACKUP_EVERY: '10m' }),
      ...(embedded && { NODE_OPTIONS: `--import ${pathToFileURL(WITHOUT_POSTGRES).href}` }),
    },
    limit?.around(command) ?? command,
  )
  const agent = new Agent({ keepAlive: true })
  try {
    const { url, process: child } = await server.ready()
    const pid = child.pid ?? 0
    const [ending, crowd] = [new AbortController(), new AbortController()]
    const load: Load = {
      url,
      agent,
      durations: new Durations(),
      sentAt: new Map(),
      confirmed: new Map(),
      ending: ending.signal,
      crowd: crowd.signal,
    }
    const members = filled.flatMap(({ organisation, people, plans }) =>
      people.map(({ access_token }) => ({ organisation: organisation.id, access_token, plans })),
    )
    const before = await usageOf(pid)
    const own = process.cpuUsage()
    const from = performance.now()
    const timers = [
      setTimeout(() => crowd.abort(), minutes * 30_000),
      setTimeout(() => ending.abort(), minutes * 60_000),
    ]
    const running = members.map((member, index) => {
      const address = `10.${index >> 8}.${index & 255}.7`
      return new Device(load, { ...member, address }).run()
    })
    await Promise.all(running).finally(() => {
      timers.forEach(clearTimeout)
      ending.abort()
    })
    const seconds = (performance.now() - from) / 1_000
    const after = await usageOf(pid)
    const { user, system } = process.cpuUsage(own)
    const share = (spent: number) => `${((spent / seconds) * 100).toFixed(0)} % of a core`
    const wrong: string[] = []
    let confirmed = 0
    for (const one of filled) {
      const ids = load.confirmed.get(one.organisation.id) ?? new Set<string>()
      confirmed += ids.size
      wrong.push(...(await findWrong(url, one, ids)))
    }
    const { errors } = load.durations
    const serverSeconds = after.seconds - before.seconds
    const report = [
      load.durations.report(seconds),
      '',
      `Server with its database: ${share(serverSeconds)}, ${((serverSeconds * 1_000) / devices / (seconds / 60)).toFixed(0)} ms a minute for each device.`,
      `Memory: ${before.megabytes.toFixed(0)} MB before, ${after.megabytes.toFixed(0)} MB after, ${(((after.megabytes - before.megabytes) * 1_000) / devices).toFixed(0)} kB for each device.`,
      `Load generator: ${share((user + system) / 1e6)}.`,
      `${confirmed} updates confirmed, ${wrong.length} of them not on the server exactly once.`,
      ...[...errors].map(([message, count]) => `Error, ${count} ×: ${message}`),
    ].join('\n')
    return { report, confirmed, wrong }
  } finally {
    agent.destroy()
    await server.stop('SIGTERM')
  }
}
