// One key, one effect (contract, Conventions): the key and the answer are committed with the effect.
import { createHash } from 'node:crypto'
import type { Tx } from '../database/database.ts'
import { invalid, retryAfter, badRequest } from '../errors/http-error.ts'

const KEY = /^"?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"?$/i
const NIL_ORGANISATION_ID = '00000000-0000-0000-0000-000000000000'

export interface HttpAnswer {
  status: number
  body: string
  etag: string | null
}

export interface KeyedRequest {
  user_id: string
  organisation_id: string | undefined
  key: string
}

/** The key of a request, bare or quoted; undefined when there is none. Throws a 400 Refusal otherwise. */
export function readKey(header: string | null): string | undefined {
  if (header === null) return undefined
  const [, key] = KEY.exec(header) ?? []
  if (key === undefined) throw badRequest('Idempotency-Key must be one UUID.')
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

/** What makes two requests the same: method, path, body and If-Match. */
export const fingerprint = (request: {
  method: string
  path: string
  body: unknown
  ifMatch: string | null
}): Buffer => createHash('sha256').update(canonicalJson(request)).digest()

const keyColumns = ({ user_id, organisation_id = NIL_ORGANISATION_ID, key }: KeyedRequest) => ({
  user_id,
  organisation_id,
  key,
})

/** The first answer to this key, when there was one. Throws a 422 Refusal when it was another request. */
export async function findStoredAnswer(
  tx: Tx,
  request: KeyedRequest,
  request_hash: Buffer,
): Promise<HttpAnswer | undefined> {
  const { user_id, organisation_id, key } = keyColumns(request)
  const stored = await tx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('organisation_id', '=', organisation_id)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (stored && !request_hash.equals(stored.request_hash))
    throw invalid({ 'Idempotency-Key': ['This key was used for another request.'] })
  return stored
}

export async function storeAnswer(
  tx: Tx,
  request: KeyedRequest,
  answer: HttpAnswer & { request_hash: Buffer; created_at: string },
): Promise<void> {
  await tx
    .insertInto('idempotency_keys')
    .values({ ...keyColumns(request), ...answer })
    .execute()
}

export interface IdempotencyGate {
  /** Runs `work` when no other request with this key is running; a 409 Refusal when that takes too long. */
  run<T>(request: KeyedRequest, work: () => Promise<T>): Promise<T>
}

/** Requests with one key go through one after the other, so that the second finds the first's answer. */
export function createIdempotencyGate(waitMs: number): IdempotencyGate {
  const running = new Map<string, Promise<unknown>>()
  return {
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
