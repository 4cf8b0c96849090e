// The level "writes once": two requests with one key, or one id, make one record.
import { randomUUID } from 'node:crypto'
import type { EndpointName } from '../contract/endpoints.ts'
import {
  idOf,
  answerOf,
  isSuccess,
  recordOf,
  type Client,
  type Json,
  type Reply,
} from './client.ts'
import { describe } from './report.ts'
import { updateDraft, type Made } from './samples.ts'
import { callOf, type CleanUp } from './writes.ts'

type Post = (more?: { headers?: Record<string, string>; id?: string }) => Promise<Reply>

export async function checkWritesOnce(client: Client, made: Made, cleanUp: CleanUp): Promise<void> {
  const account = { name: 'cairn-conform account, sent again' }
  const postAccount = postTo(client, callOf('accounts', 'create'), account)
  /** Those that were created, each deleted once. */
  const ids = new Set<string>()
  const post: Post = async (more) => {
    const reply = await postAccount(more)
    const id = idOf(recordOf(reply.json))
    if (isSuccess(reply) && id !== null) ids.add(String(id))
    return reply
  }
  cleanUp.push(async () => {
    for (const id of ids) await client.send(callOf('accounts', 'delete'), { path: { id } })
  })
  await checkKeys(client, post)
  await checkIds(client, post)
  const plan = made['success_plans']
  if (plan === undefined) return
  const postUpdate = postTo(client, 'postPlanUpdate', updateDraft(), { id: String(plan) })
  await checkKeys(client, postUpdate)
  await checkIds(client, postUpdate)
}

const postTo =
  (client: Client, name: EndpointName, body: Json, path: Record<string, string> = {}): Post =>
  ({ headers = {}, id } = {}) =>
    client.send(name, { path, headers, body: id === undefined ? body : { id, ...body } })

/** Twice at once, and again. */
async function checkKeys(client: Client, post: Post): Promise<void> {
  const headers = { 'Idempotency-Key': randomUUID() }
  const concurrent = await Promise.all([post({ headers }), post({ headers })])
  const last = await post({ headers })
  const ids = new Set(
    [...concurrent, last].filter(isSuccess).map(({ json }) => String(idOf(recordOf(json)))),
  )
  client.report.checkCapability(isSuccess(last) && ids.size === 1, 'keys', {
    call: `${last.call} three times with one key`,
    field: 'Idempotency-Key',
    value: isSuccess(last) ? `records ${[...ids].join(', ')}` : answerOf(last),
    expectation: 'one record, and its answer again',
  })
}

async function checkIds(client: Client, post: Post): Promise<void> {
  const id = randomUUID()
  const first = await post({ id })
  const { id: stored } = recordOf(first.json)
  const isTaken = client.report.checkCapability(isSuccess(first) && stored === id, 'ids', {
    call: first.call,
    field: 'id',
    value: isSuccess(first) ? describe(stored) : answerOf(first),
    expectation: `${id}, as it was sent`,
  })
  if (!isTaken) return
  const second = await post({ id })
  const isSame = isSuccess(second) && recordOf(second.json)['id'] === id
  client.report.checkCapability(isSame || second.status === 409 || second.status === 422, 'ids', {
    call: `${second.call} with an id that is there`,
    field: 'status',
    value: answerOf(second),
    expectation: 'the record that is there, or 409 or 422',
  })
}
