// I12: what causes each request. The engine works in steps of operations, looks, whole readings and rounds of
// polls; for each it makes a call once. A call is repeated with other tokens only, which it asks for once.
import { AsyncLocalStorage } from 'node:async_hooks'
import { engineTable } from '../../../../contract/engine-table.ts'
import { Lookup } from '../../../../src/sync/core/arrival/lookup.ts'
import { Http } from '../../../../src/sync/core/api/http.ts'
import type { Outcome } from '../../../../src/sync/core/api/outcome.ts'
import { UNANSWERED_WRITES } from '../../../../src/sync/core/connection.ts'
import type { Operation } from '../../../../src/sync/core/operation.ts'
import type {
  ApiCall,
  ApiCalls,
  CallInput,
  NetworkRequest,
} from '../../../../src/sync/core/ports.ts'
import { Puller } from '../../../../src/sync/core/pull/puller.ts'
import { Batches } from '../../../../src/sync/core/replay/batches.ts'
import { Singles } from '../../../../src/sync/core/replay/singles.ts'
import { wrapAll } from '../mutate.ts'
import type { SimulatedEnvironment } from '../simulated-environment.ts'
import { textOf } from './plain-ledger.ts'

/** What calls are made for, and how often each was. */
interface Work {
  name: string
  /** How many calls there may be. */
  most: number
  calls: Map<string, number>
  /** What became of its write: whether the answer shows what was written. */
  write?: 'sent' | 'shown'
  /** What was called too often. */
  excess?: string
  look?: Look
}

/** A search for what an operation has created. */
interface Look {
  operation: Operation
  /** By list, of the same context: when the last complete reading for a look began, by the device's clock. */
  last: Map<string, number>
  reads: { list: string; began: number }[]
}

interface Call {
  name: string
  work: Work | undefined
  refreshes: number
  /** The tokens and organisations that it was sent with. */
  sent: Set<string>
}

/** Before a write, after an answer that may be of another origin, and to find out whether writes get any. */
const MAX_PROBES = 2 + 2 * UNANSWERED_WRITES + 1
/** In a round of polls. */
const MAX_POLLS = 2
/** Between two complete readings in which looks search. */
const LIST_INTERVAL_MS = 600_000
const UPDATES_INTERVAL_MS = 120_000
/** From the beginning of a reading to its first request. */
const DEPARTURE_MS = 1_000

const works = new AsyncLocalStorage<Work>()
const calls = new AsyncLocalStorage<Call>()
const readsOf = new WeakMap<Lookup, Look['last']>()

const during = <T>(work: Pick<Work, 'name'> & Partial<Work>, run: () => Promise<T>): Promise<T> =>
  works.run({ most: Infinity, calls: new Map(), ...work }, run)

/** Runs a round of polls. */
export const duringRound = (poll: () => Promise<void>): Promise<void> =>
  during({ name: 'one round of polls', most: MAX_POLLS }, poll)

wrapAll(Http.prototype, 'call', (call, http) => (what, input, options) => {
  const outcome = calls.run(countCall(what, input), () => call(what, input, options))
  if (what.method !== 'GET') noteWrite(what, input, outcome, http)
  return outcome
})

wrapAll(Singles.prototype, 'send', (send) => (operation, ...rest) => {
  return during({ name: `one step of ${operation.endpoint} ${operation.id}` }, () =>
    send(operation, ...rest),
  )
})

// A replay that an answer of a poll has started is none of its work.
wrapAll(Batches.prototype, 'send', (send) => (...args) => {
  return during({ name: 'one batch' }, () => send(...args))
})

wrapAll(Puller.prototype, 'pull', (pull) => (...args) => {
  return during({ name: 'one reading' }, () => pull(...args))
})

wrapAll(Lookup.prototype, 'look', (lookFor, context) => async (operation) => {
  const last: Look['last'] = readsOf.get(context) ?? new Map()
  readsOf.set(context, last)
  const look: Look = { operation, last, reads: [] }
  const name = `one look of ${operation.id}`
  const finding = await during({ name, look }, () => lookFor(operation))
  // Of what is undecided the list may have been refused.
  if (['found', 'missing', 'wait'].includes(finding.kind))
    for (const { list, began } of look.reads) last.set(list, began)
  return finding
})

function countCall({ identifies, method, path }: ApiCall, input: CallInput): Call {
  const work = works.getStore()
  const isRead = method === 'GET'
  const isAfter = isRead && work?.write !== undefined
  const read = `GET ${path} ${JSON.stringify([input.path, input.query])}`
  const name = isAfter ? `${read} after its write` : isRead ? read : method
  const call: Call = { name, work, refreshes: 0, sent: new Set() }
  if (!work) return call
  const count = (work.calls.get(name) ?? 0) + 1
  work.calls.set(name, count)
  const most = identifies ? MAX_PROBES : isAfter && work.write === 'shown' ? 0 : 1
  const others = [...work.calls].filter(([one]) => !one.includes('userinfo'))
  const sum = others.reduce((all, [, one]) => all + one, 0)
  if (count > most || sum > work.most) work.excess ??= `${name}, call ${count}`
  return call
}

/**
 * What was read before a write says nothing of its effect: where the answer does not show that, it may be read once
 * more. A deletion that is answered with 404 was delivered twice, or the server does not have the call; a server
 * without versions may have confirmed one that it has not made.
 */
function noteWrite(
  { method }: ApiCall,
  { body }: CallInput,
  outcome: Promise<Outcome>,
  { capabilities }: Http,
): void {
  const work = works.getStore()
  if (!work) return
  work.write = 'sent'
  const note = (ended: Outcome) => {
    if (ended.kind !== 'answered') return
    const isConfirmed =
      method === 'DELETE' ? capabilities.has('versions') : isShown(body, ended.value)
    if (isConfirmed) work.write = 'shown'
  }
  void outcome.then(note, () => undefined)
}

/** Whether an answer is the record that was sent, under the id that was sent with it, if any was. */
function isShown(body: unknown, value: unknown): boolean {
  const own = idOf(body)
  return textOf(value) === textOf(body) && (own === undefined || own === idOf(value))
}

const idOf = (fields: unknown): unknown => (fields as { id?: unknown } | undefined)?.id

/** A request leaves a device: fails when what causes it has made too many. */
export function checkCause(
  { world, clockOffset }: { world: SimulatedEnvironment; clockOffset: number },
  { method, url, headers }: NetworkRequest,
): void {
  const by = calls.getStore()
  if (!by) return
  const { name, sent, work } = by
  if (work?.excess) world.fail('I12', `${work.name} makes ${work.excess}`)
  const isRefresh = url === '/oauth/token' && name.startsWith('GET')
  if (isRefresh) by.refreshes += 1
  if (by.refreshes > 1) world.fail('I12', `${name} refreshes the tokens ${by.refreshes} times`)
  if (isRefresh) return
  const { Authorization, 'X-organisation': organisation } = headers
  const key = `${method} ${Authorization} ${organisation}`
  if (sent.has(key)) world.fail('I12', `${name} is sent twice with the same tokens`)
  sent.add(key)
  if (work?.look && sent.size === 1)
    checkReading(world, work.look, `${organisation} ${url}`, world.now + clockOffset)
}

/** Complete readings in which looks search are shared for a while. */
function checkReading(world: SimulatedEnvironment, look: Look, url: string, now: number): void {
  const { endpoint, attempt, user_id } = look.operation
  const policy = (engineTable.calls as ApiCalls)[endpoint]?.offlinePolicy
  // An edit is compared with a reading of its own, and the end of an attempt under a key is not noted.
  if (!policy?.created || !attempt || !/[?&]page=1\b/.test(url)) return
  // A context whose clock was set back forgets what it has read.
  if ([...look.last.values()].some((began) => began > now)) look.last.clear()
  const list = `${user_id} ${url.split('?')[0]}`
  const interval = list.endsWith('/updates') ? UPDATES_INTERVAL_MS : LIST_INTERVAL_MS
  const age = now - (look.last.get(list) ?? -Infinity)
  if (age >= 0 && age < interval - DEPARTURE_MS)
    world.fail('I12', `${list} is read ${Math.round(age)} ms after it was read for a look`)
  // The first page may be asked for once more, where the server refuses its size.
  if (!look.reads.some((one) => one.list === list)) look.reads.push({ list, began: now })
}
