// Idempotency keys: the key and the response are committed together with the effect.
import { isUuid } from '../../contract/schemas/fields.ts'
import type { Tx } from '../database/connection.ts'
import { invalid, retryAfter, badRequest } from '../errors/http-error.ts'
import type { Services } from './services.ts'
import { sha256 } from '../hash.ts'

const NIL_ORGANISATION_ID = '00000000-0000-0000-0000-000000000000'

/** A response as it is stored: `body` is JSON, or empty. */
export interface HttpAnswer {
  status: number
  body: string
  etag: string | null
}

/**
 * The scope of a key: user and organisation; the latter is undefined for requests outside of
 * organisations.
 */
export interface KeyedRequest {
  user_id: string
  organisation_id: string | undefined
  key: string
}

/**
 * The key of a request, bare or quoted; undefined when there is none. Throws a 400 HttpError when it is
 * no UUID.
 */
export function readKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = header.replaceAll(/^"|"$/g, '')
  if (!isUuid(key)) throw badRequest('Idempotency-Key must be one UUID.')
  return key.toLowerCase()
}

/** JSON with sorted keys, so that the same request always reads the same. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`)
    .join(',')}}`
}

/** Hash of method, path, query, body and If-Match, which must be equal when a key is reused. */
export const fingerprint = (request: {
  method: string
  path: string
  /** Undefined without one: keys that were stored before it counted still match. */
  query: string | undefined
  body: unknown
  ifMatch: string | null
}): Buffer => sha256(canonicalJson(request))

const keyColumns = ({ user_id, organisation_id = NIL_ORGANISATION_ID, key }: KeyedRequest) => ({
  user_id,
  organisation_id,
  key,
})

interface StoredAnswer extends HttpAnswer {
  request_hash: Uint8Array
  created_at: string
}

/** The stored answers in a transaction of several operations: those that were read, by key, and those to be written. */
interface HeldAnswers {
  found: ReadonlyMap<string, StoredAnswer | undefined>
  added: (StoredAnswer & KeyedRequest)[]
}
const heldBy = new WeakMap<Tx, HeldAnswers>()

const answersOf = (
  tx: Tx,
  { user_id, organisation_id, keys }: Omit<KeyedRequest, 'key'> & { keys: readonly string[] },
) =>
  tx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('organisation_id', '=', organisation_id ?? NIL_ORGANISATION_ID)
    .where('user_id', '=', user_id)
    .where('key', 'in', keys)
    .execute()

/**
 * The stored response for this key, if any. Throws a 422 HttpError when the key was used for another
 * request.
 */
export async function findStoredAnswer(
  tx: Tx,
  request: KeyedRequest,
  request_hash: Buffer,
): Promise<HttpAnswer | undefined> {
  const held = heldBy.get(tx)?.found
  const stored = held?.has(request.key)
    ? held.get(request.key)
    : (await answersOf(tx, { ...request, keys: [request.key] }))[0]
  if (stored && !request_hash.equals(stored.request_hash))
    throw invalid({ 'Idempotency-Key': ['This key was used for another request.'] })
  return stored
}

/**
 * Stores the response under its key, in the transaction of the effect. Throws a 429 HttpError when the user has stored
 * too many bytes in a day: a record that is written again and again would fill the disk.
 */
export async function storeAnswer(
  { storedLimit, monotonicMs }: Pick<Services, 'storedLimit' | 'monotonicMs'>,
  tx: Tx,
  request: KeyedRequest,
  answer: StoredAnswer,
): Promise<void> {
  const bytes = Buffer.byteLength(answer.body)
  const waitSeconds = storedLimit.take(request.user_id, monotonicMs(), bytes)
  if (waitSeconds > 0)
    throw retryAfter(429, 'Too much was written in a day. Please wait.', waitSeconds)
  const held = heldBy.get(tx)
  if (held) held.added.push({ ...request, ...answer })
  else await insertAnswers(tx, [{ ...request, ...answer }])
}

const insertAnswers = (tx: Tx, answers: readonly (StoredAnswer & KeyedRequest)[]) =>
  tx
    .insertInto('idempotency_keys')
    .values(answers.map((answer) => ({ ...answer, ...keyColumns(answer) })))
    .execute()

/**
 * Reads the stored responses for several operations of one user at once. Other keys are still read one by one; new
 * responses are written together, by `write`.
 */
export async function holdAnswers(
  tx: Tx,
  about: Omit<KeyedRequest, 'key'>,
  keys: readonly string[],
) {
  const stored = await answersOf(tx, { ...about, keys })
  const byKey = new Map(stored.map((one) => [one.key, one]))
  const held: HeldAnswers = {
    found: new Map(keys.map((key) => [key, byKey.get(key)])),
    added: [],
  }
  heldBy.set(tx, held)
  return {
    mark() {
      const { length } = held.added
      return () => void (held.added.length = length)
    },
    async write() {
      if (held.added.length > 0) await insertAnswers(tx, held.added)
    },
  }
}

/** Serialises concurrent requests with the same key within this process. */
export interface IdempotencyGate {
  /**
   * Runs `work` once no other request with this key is running. Throws a 409 HttpError when that takes
   * too long.
   */
  run<T>(request: KeyedRequest, work: () => Promise<T>): Promise<T>
  /** The same gate for requests that do not wait. */
  readonly withoutWaiting: IdempotencyGate
}

/** `waitMs`: how long a request waits for an earlier one with its key, whose response it then finds. */
export function createIdempotencyGate(waitMs: number): IdempotencyGate {
  return gateOf(new Map(), waitMs)
}

function gateOf(running: Map<string, Promise<unknown>>, waitMs: number): IdempotencyGate {
  return {
    get withoutWaiting() {
      return gateOf(running, 0)
    },
    async run(request, work) {
      const name = Object.values(keyColumns(request)).join(' ')
      const deadline = Date.now() + waitMs
      for (let earlier = running.get(name); earlier; earlier = running.get(name)) {
        if (!(await settlesBefore(earlier, deadline)))
          throw retryAfter(409, 'The first request with this key is still running.', 1)
      }
      const task = work()
      running.set(name, task)
      try {
        return await task
      } finally {
        running.delete(name)
      }
    },
  }
}

async function settlesBefore(work: Promise<unknown>, deadline: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, deadline - Date.now()))
  })
  const end = work.then(
    () => true,
    () => true,
  )
  try {
    return await Promise.race([end, timeout])
  } finally {
    clearTimeout(timer)
  }
}
