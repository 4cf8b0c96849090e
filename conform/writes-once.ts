// The level "writes once": two requests with one key, or one id, make one record.
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import type { EndpointName } from '../contract/endpoints.ts'
import { BatchResults } from '../contract/schemas/batch.ts'
import { answerOf, isSuccess, type Client, type Reply } from './client.ts'
import { idOf, recordOf, type Json } from './records.ts'
import { describe } from './report.ts'
import { updateDraft, type Made } from './samples.ts'
import { callOf, type CleanUp } from './writes.ts'

type Post = (more?: { headers?: Record<string, string>; id?: string }) => Promise<Reply>

/** Sends writes again, which must take effect once. */
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
  await checkBatch(client, String(plan))
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
    [...concurrent, last].filter(isSuccess).map(({ json }) => idOf(recordOf(json))),
  )
  // Answers without a record do not show how many there are.
  const isShown = isSuccess(last) && !ids.has(null)
  client.report.checkCapability(isShown && ids.size === 1, 'keys', {
    call: `${last.call} three times with one key`,
    field: 'Idempotency-Key',
    value: isShown ? `records ${[...ids].join(', ')}` : answerOf(last),
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

/** An update, one that is not valid, one behind it in its lane, and one in another lane; then all again. */
async function checkBatch(client: Client, plan: string): Promise<void> {
  const lanes: [lane: string, progress: number][] = [
    ['a', 10],
    ['a', 101],
    ['a', 20],
    ['b', 30],
  ]
  const operations = lanes.map(([lane, progress]) => ({
    key: randomUUID(),
    lane,
    method: 'POST',
    path: `/api/v1/success-plans/${plan}/updates`,
    body: { ...updateDraft(), progress },
  }))
  const send = () => client.send('sendBatch', { body: { operations } })
  const [first, second] = [await send(), await send()]
  const parsed = [first, second].map(({ json }) => v.safeParse(BatchResults, json))
  const [results = [], repeated = []] = parsed.map(({ success, output }) =>
    success ? output.data : [],
  )
  const outcomes = results.map(
    ({ status }) => status !== null && (status < 300 ? 'done' : 'denied'),
  )
  const isRight =
    String(outcomes) === String(['done', 'denied', false, 'done']) &&
    results.every(({ key, body }, index) => {
      const id = idOf(recordOf(body))
      const isShown = id !== null || outcomes[index] !== 'done'
      return (
        isShown && key === operations[index]?.key && idOf(recordOf(repeated[index]?.body)) === id
      )
    })
  client.report.checkCapability(isSuccess(first) && isRight, 'batch', {
    call: `${first.call} twice with the same keys`,
    field: 'data',
    value: isSuccess(first) ? describe(outcomes) : answerOf(first),
    expectation:
      'one done, one denied, one not begun, one of another lane done; then the same records',
  })
}
