// Memory of all processes of a server together, beside what the smallest machine has for them.
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DEMO_PASSWORD, DEMO_PEOPLE } from '../../server/demo/stories.ts'
import { cloneInto } from '../../tests/server/fixtures/clean-clone.ts'
import { ServerProcess } from '../../tests/server/fixtures/server-process.ts'
import type { Place, Scenario } from '../measure.ts'
import { memoryAlone } from './usage.ts'

const ROOT = join(import.meta.dirname, '../..')
const FIRST_START_MB = 512
const SETTLED_MB = 256
const CALLS = 300
const REST_MS = 600_000
const LOOK_MS = 100

function beside(name: string, ours: number, floor: number): Scenario {
  const taken = { ours, floor }
  return {
    measures: { [name]: { unit: 'MB', goal: { at: 'most', ratio: 1 } } },
    sample: (side) => Promise.resolve({ [name]: taken[side] }),
    exact: true,
  }
}

/** The peak of `npm start` in a clone that has not been built yet, with npm itself. */
export async function firstStartMemory({ folder, ends }: Place): Promise<Scenario> {
  const clone = join(folder, 'first-start')
  await cloneInto(clone)
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, DIST: '', DATA_DIR: join(clone, 'data'), DEMO_DATA: '1' }
  const server = new ServerProcess(clone, env, ['npm', '--prefix', clone, 'start'])
  ends.defer(() => server.stop('SIGTERM').then(() => undefined))
  const ready = server.ready()
  let peak = 0
  for (let isReady = false; !isReady;) {
    peak = Math.max(peak, await memoryAlone(server.process.pid ?? 0))
    isReady = await Promise.race([ready.then(() => true), pause(LOOK_MS, false)])
  }
  return beside('first-start-memory', peak, FIRST_START_MB)
}

async function startAndUse(place: string, data: string): Promise<ServerProcess> {
  const server = await new ServerProcess(place, { DEMO_DATA: '1', DATA_DIR: data }).ready()
  const signedIn = await server.signIn(DEMO_PEOPLE[0].email, DEMO_PASSWORD)
  const { json } = await server.call('GET', '/api/v1/organisations', undefined, signedIn)
  const [organisation] = json['data'] as { id: string }[]
  const headers = { ...signedIn, 'X-organisation': organisation?.id ?? '' }
  for (let index = 0; index < CALLS; index += 1)
    for (const path of ['/api/v1/success-plans', '/api/v1/changes?since=0'])
      await server.call('GET', path, undefined, headers)
  return server
}

/** Ten minutes after the last call, with the demo data. Each sample has a server of its own. */
export async function settledMemory({ folder, ends }: Place): Promise<Scenario> {
  const place = join(folder, 'settled')
  await mkdir(join(place, 'dist'), { recursive: true })
  await writeFile(join(place, 'dist/index.html'), '<!doctype html>')
  let servers = 0
  // They start one after the other, and rest at the same time.
  let last: Promise<unknown> = Promise.resolve()
  async function measureAtRest(): Promise<number> {
    const data = join(place, `data-${(servers += 1)}`)
    const used = last.then(() => startAndUse(place, data))
    last = used
    const server = await used
    ends.defer(() => server.stop('SIGTERM').then(() => undefined))
    await pause(REST_MS)
    return memoryAlone(server.process.pid ?? 0)
  }
  return {
    measures: { 'settled-memory': { unit: 'MB', goal: { at: 'most', ratio: 1 } } },
    sample: async (side) => ({
      'settled-memory': side === 'ours' ? await measureAtRest() : SETTLED_MB,
    }),
    sideBySide: true,
  }
}
