// The page in which the engine is measured: the shipped engine beside the bare platform.
import { v7 } from 'uuid'
import { product } from '../src/app/boot/product.ts'
import type { ReplicaRecord } from '../src/sync/core/replica.ts'
import { createSync } from '../src/sync/client.ts'
import type { Operation } from '../src/sync/core/operation.ts'
import { startEngine } from '../src/sync/browser/start-engine.ts'
import { screenCache } from '../src/sync/react/apply-changes.ts'

const user = { id: v7() }
const organisation = { id: v7() }
const sync = createSync(async (page) => startEngine(page, product, screenCache))
await sync.start()
const engine = await sync.engine()
await engine.session.signIn({
  access_token: 'none',
  refresh_token: 'none',
  user,
  active_organisation: organisation,
})
const cache = engine.replicaOf({ user_id: user.id, organisation_id: organisation.id })

const plans = Array.from({ length: 20_000 }, (_, index) => ({
  id: v7(),
  title: `Launch the analytics workspace, part ${index}`,
  description: 'From spreadsheets to one shared workspace, one team after the other. '.repeat(6),
  progress: 0,
  version: 1,
}))
const randomPlan = () => plans[Math.floor(Math.random() * plans.length)] as ReplicaRecord
const ended = (transaction: IDBTransaction) =>
  new Promise((resolve) => {
    transaction.oncomplete = resolve
  })

const opening = indexedDB.open('floor', 1)
opening.onupgradeneeded = () => opening.result.createObjectStore('plans')
await new Promise((resolve) => {
  opening.onsuccess = resolve
})
const bare = opening.result

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

let version = 1
const changed = () => ({ ...randomPlan(), progress: 50, version: (version += 1) })

async function fillDevice(): Promise<void> {
  await cache.apply({ put: { success_plans: plans }, deleted: [] })
  const transaction = bare.transaction('plans', 'readwrite')
  for (const plan of plans) transaction.objectStore('plans').put(plan, plan.id)
  await ended(transaction)
}

const writeOnePlan = (plan: ReplicaRecord) =>
  cache.apply({ put: { success_plans: [plan] }, deleted: [] })

function putDirectly(plan: ReplicaRecord): Promise<unknown> {
  const transaction = bare.transaction('plans', 'readwrite')
  transaction.objectStore('plans').put(plan, plan.id)
  return ended(transaction)
}

/** Milliseconds of each of `times` consecutive writes. */
const writes = async (side: 'ours' | 'floor', times: number) =>
  (await timed(async () => {
    const write = side === 'ours' ? writeOnePlan : putDirectly
    for (let time = 0; time < times; time += 1) await write(changed())
  })) / times

const updates = (lanes: number, count: number) => {
  const ids = Array.from({ length: lanes }, () => v7())
  return Array.from({ length: count }, (_, index) => ({
    path: { id: ids[index % lanes] ?? '' },
    body: { id: v7(), body: 'All sites are live.', written_at: new Date().toISOString() },
  }))
}

const toOperation = (input: ReturnType<typeof updates>[number], seq: number): Operation => ({
  id: v7(),
  v: 1,
  endpoint: 'postPlanUpdate',
  input,
  user_id: user.id,
  organisation_id: organisation.id,
  lane: `success-plan:${input.path.id}`,
  seq,
  depends_on: [],
  created_at: input.body.written_at,
  state: 'pending',
  attempts: 0,
  not_before: 0,
  last_error: null,
})

/** Waits until the outbox as the screens see it meets the condition. */
const until = (isSo: (operations: readonly Operation[]) => boolean) =>
  new Promise<void>((resolve) => {
    const { operations } = engine.state
    const look = () => {
      if (!isSo(operations.get())) return
      end()
      resolve()
    }
    const end = operations.subscribe(look)
    look()
  })

/** For each operation, milliseconds from the network's return until it is acknowledged. */
async function replay(lanes: number, count: number): Promise<number> {
  const queued = updates(lanes, count).map(toOperation)
  await sync.store.transact(['operations'], 'strict', async (tx) => {
    for (const one of queued) tx.put('operations', one.id, one)
  })
  const taken = await timed(async () => {
    await engine.outboxChanged()
    await until((operations) => operations.every((one) => one.state !== 'pending'))
  })
  await until((operations) => operations.length === 0)
  return taken
}

/** The same calls by bare `fetch`, `atOnce` of them in flight. */
const fetchDirectly = (lanes: number, count: number, atOnce: number) =>
  timed(async () => {
    const waiting = updates(lanes, count)
    const hand = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        const answer = await fetch(`/api/v1/success-plans/${one.path.id}/updates`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': one.body.id },
          body: JSON.stringify(one.body),
        })
        await answer.json()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, hand))
  })

/** The same operations in one bare request. */
const fetchAsBatch = (lanes: number, count: number) =>
  timed(async () => {
    const operations = updates(lanes, count).map(({ path, body }) => ({
      key: v7(),
      lane: `success-plan:${path.id}`,
      method: 'POST',
      path: `/api/v1/success-plans/${path.id}/updates`,
      body,
    }))
    const answer = await fetch('/api/v1/batch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ operations }),
    })
    await answer.json()
  })

const PASSWORD = { username: 'ana@plain.test', password: 'a plain password' }
/** The lists of an organisation, as the specification has them. */
const LISTS = ['success-plans', 'accounts', 'initiatives', 'actions', 'organisation-users']
const PAGE_SIZE = 500

/** Signs Ana in at a plain server. */
async function signInBarely() {
  const answer = await fetch('/oauth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', client_id: 'app', ...PASSWORD }),
  })
  const tokens = (await answer.json()) as { access_token: string; refresh_token: string }
  const read = async <T>(path: string, organisation_id?: string) => {
    const headers = {
      Authorization: `Bearer ${tokens.access_token}`,
      ...(organisation_id !== undefined && { 'X-organisation': organisation_id }),
    }
    return (await (await fetch(`/api/v1/${path}`, { headers })).json()) as T
  }
  const { data: ana } = await read<{ data: { id: number } }>('userinfo')
  const { data: organisations } = await read<{ data: { id: number }[] }>('organisations')
  const signedIn = { id: String(ana.id) }
  return { tokens, user: signedIn, organisation: { id: String(organisations[0]?.id) }, read }
}

/** Milliseconds of a first download by lists, of an organisation of a plain server. */
async function downloadByLists(): Promise<number> {
  const { tokens, user, organisation } = await signInBarely()
  await engine.signOut('discard')
  await engine.session.signIn({ ...tokens, user, active_organisation: organisation })
  const taken = await timed(() => engine.pullScheduler.pull())
  const stored = await engine.activeReplica()?.collection('success_plans')
  if (stored?.length !== 2_000) throw new Error(`${stored?.length} plans were downloaded.`)
  return taken
}

/** The same lists by bare `fetch`, one page after the other. */
async function fetchLists(): Promise<number> {
  const { read, organisation } = await signInBarely()
  return await timed(async () => {
    for (const list of LISTS)
      for (let page = 1, last = 1; page <= last; page += 1) {
        const path = `${list}?per_page=${PAGE_SIZE}&page=${page}`
        const { meta } = await read<{ meta: { last_page: number } }>(path, organisation.id)
        last = meta.last_page
      }
  })
}

const device = {
  fillDevice,
  writes,
  replay,
  fetchBarely: fetchDirectly,
  fetchAsBatch,
  downloadByLists,
  fetchLists,
}

declare global {
  interface Window {
    device?: typeof device
  }
}
window.device = device
