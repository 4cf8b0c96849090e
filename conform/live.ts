// The level "live": the feed of changes, and the stream that announces them.
import { readAnswer } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'
import { Changes } from '../contract/schemas/changes.ts'
import * as v from 'valibot'
import { NoAnswer, answerOf, isSuccess, type Client } from './client.ts'
import { idOf, parseJson, type Json } from './records.ts'
import { describe } from './report.ts'
import type { Made } from './samples.ts'
import { create, type CleanUp } from './writes.ts'

const EVENT_TIMEOUT_MS = 15_000
const EVENT_STREAM = { Accept: 'text/event-stream' }

const has = (data: Json, collection: string, id: ReturnType<typeof idOf>) =>
  ((data[collection] ?? []) as Json[]).some((one) => String(idOf(one)) === String(id))

/** Reading only: the feed from its beginning, and the first event. */
export async function checkLiveReads(client: Client): Promise<void> {
  await readChanges(client, 0)
  await checkChangesStream(client)
  await using events = await openEvents(client)
  await events?.next()
}

/** An edit, a create and a deletion are in the feed, and are announced. */
export async function checkLive(client: Client, made: Made): Promise<void> {
  const { report } = client
  const whole = await readChanges(client, 0)
  await checkChangesStream(client)
  const plan = made['success_plans'] ?? null
  if (whole && plan !== null)
    report.checkCapability(has(whole.data, 'success_plans', plan), 'changes', {
      call: 'GET /api/v1/changes?since=0',
      field: 'data.success_plans',
      value: `without the plan ${describe(plan)}`,
      expectation: 'all records of the organisation',
    })
  await using events = await openEvents(client)
  const before = await events?.next()
  const temporary: CleanUp = []
  const account = await create(client, 'accounts', { name: 'cairn-conform short-lived' }, temporary)
  if (!account) return
  const after = await events?.next()
  if (events && before !== undefined && after !== undefined)
    report.checkCapability(after > before, 'events', {
      call: 'GET /api/v1/events after a write',
      field: 'data.version',
      value: String(after),
      expectation: `above ${before}`,
    })
  const created = whole && (await readChanges(client, whole.version))
  const id = idOf(account)
  if (created)
    report.checkCapability(
      has(created.data, 'accounts', id) && !has(created.data, 'success_plans', plan),
      'changes',
      {
        call: `GET /api/v1/changes?since=${whole.version} after a write`,
        field: 'data.accounts',
        value: describe(created.data['accounts']),
        expectation: `the account ${describe(id)}, and nothing that has not changed`,
      },
    )
  for (const undo of temporary) await undo()
  const deleted = created && (await readChanges(client, created.version))
  if (deleted)
    report.checkCapability(has(deleted.data, 'deleted', id), 'changes', {
      call: `GET /api/v1/changes?since=${created.version} after a deletion`,
      field: 'data.deleted',
      value: describe(deleted.data['deleted']),
      expectation: `{"type": "accounts", "id": ${describe(id)}}`,
    })
}

/** What has changed since that version, read to its end; undefined when it cannot be read. */
async function readChanges(
  client: Client,
  since: number,
): Promise<{ version: number; data: Json } | undefined> {
  const { report } = client
  const data: Json = {}
  let version = since
  for (let isEnd = false; !isEnd;) {
    const reply = await client.send('getChanges', { query: { since: version } })
    const read = isSuccess(reply) ? readAnswer(endpoints.getChanges, reply.json) : { ok: false }
    const page = v.safeParse(Changes, 'value' in read ? read.value : undefined)
    const isRead = report.checkCapability(page.success, 'changes', {
      call: reply.call,
      field: isSuccess(reply) ? 'body' : 'status',
      value: answerOf(reply),
      expectation: '{data: {<collection>: [records], deleted: [{type, id}]}, version, more}',
    })
    if (!isRead || !page.success) return undefined
    for (const [name, records] of Object.entries(page.output.data))
      data[name] = [...((data[name] as unknown[] | undefined) ?? []), ...records]
    const { more } = page.output
    const isStuck = more && page.output.version <= version
    report.checkCapability(!isStuck, 'changes', {
      call: reply.call,
      field: 'version',
      value: String(page.output.version),
      expectation: `above ${version}, since there is more`,
    })
    isEnd = !more || isStuck
    version = page.output.version
  }
  return { version, data }
}

/** All changes come in one answer, the last page of which says that it is. */
async function checkChangesStream(client: Client): Promise<void> {
  const { report } = client
  const reply = await client.send('getChanges', { query: { since: 0 }, headers: EVENT_STREAM })
  const pages = reply.text.split(/\r?\n\r?\n/).flatMap((event) => {
    const [, data] = /^event: ?page\r?\ndata: ?(.*)$/.exec(event) ?? []
    return data === undefined ? [] : [v.safeParse(Changes, parseJson(data))]
  })
  const isWhole =
    isSuccess(reply) &&
    pages.length > 0 &&
    pages.every((page, at) => page.success && page.output.more === at < pages.length - 1)
  report.checkCapability(isWhole, 'changes-stream', {
    call: `${reply.call} with Accept: text/event-stream`,
    field: isSuccess(reply) ? 'body' : 'status',
    value: answerOf(reply),
    expectation:
      'event: page with data: {data, version, more} for each page, the last without more',
  })
}

/** The versions of the event stream; undefined, with a finding, where there is no stream. */
async function openEvents(client: Client) {
  const { report } = client
  const call = 'GET /api/v1/events'
  const response = await client
    .open('getEvents', { headers: EVENT_STREAM }, 2 * EVENT_TIMEOUT_MS)
    .catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined
      throw error
    })
  const type = response?.headers.get('content-type') ?? 'no answer'
  const isStream = response?.ok === true && type.startsWith('text/event-stream')
  report.checkCapability(isStream, 'events', {
    call,
    field: response?.ok === false ? 'status' : 'Content-Type',
    value: response?.ok === false ? String(response.status) : type,
    expectation: 'a stream of text/event-stream',
  })
  if (!isStream || !response?.body) {
    await response?.body?.cancel()
    return undefined
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  /** The version of the next `version` event, within 15 s; undefined with a finding. */
  async function next(): Promise<number | undefined> {
    const deadline = AbortSignal.timeout(EVENT_TIMEOUT_MS)
    const timeout = new Promise<undefined>((resolve) => {
      deadline.addEventListener('abort', () => resolve(undefined))
    })
    for (;;) {
      const [event, rest] = /^([^]*?)\r?\n\r?\n([^]*)$/.exec(text)?.slice(1) ?? []
      if (event !== undefined) {
        text = rest ?? ''
        const [, data] = /^event: ?version\r?\ndata: ?(.*)$/m.exec(event) ?? []
        if (data === undefined) continue
        return Number((JSON.parse(data) as { version?: unknown }).version)
      }
      const part = await Promise.race([reader.read().catch(() => undefined), timeout])
      if (part?.value === undefined) {
        report.checkCapability(false, 'events', {
          call,
          field: 'event: version',
          value: `nothing within ${EVENT_TIMEOUT_MS / 1_000} s`,
          expectation: 'data: {"version": …} on connect, and after each write',
        })
        return undefined
      }
      text += part.value
    }
  }
  return { next, [Symbol.asyncDispose]: () => reader.cancel().catch(() => undefined) }
}
