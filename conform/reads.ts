// The level "reads": sign-in, and every GET call of the specification.
import { randomUUID } from 'node:crypto'
import { readAnswer } from '../contract/endpoint.ts'
import { endpoints, type EndpointName } from '../contract/endpoints.ts'
import { answerOf, isSuccess, rowOf, type Client } from './client.ts'
import { idOf, recordOf, recordsOf, type Json } from './records.ts'
import { describe } from './report.ts'

const LEVEL = 'reads'

/** The GET calls of the specification, lists before the calls of a single record. */
const reads = (Object.keys(endpoints) as EndpointName[])
  .filter((name) => {
    const { method, path, capability } = rowOf(name)
    return method === 'GET' && capability === undefined && path.startsWith('/api/')
  })
  .toSorted((a, b) => rowOf(a).path.length - rowOf(b).path.length)

/** Makes them all in the present organisation. */
export async function checkReads(client: Client): Promise<void> {
  /** The first record of each list, by path. */
  const first = new Map<string, Json>()
  for (const name of reads) {
    const { path, answer, who } = rowOf(name)
    const [parent = '', rest] = path.split('/{id}')
    const record = first.get(parent)
    if (rest !== undefined && record === undefined) {
      client.report.notes.push(`${name} was not tried: ${parent} has no record.`)
      continue
    }
    const id = String(record && idOf(record))
    const reply = await client.send(name, rest === undefined ? {} : { path: { id } })
    if (who === 'owner' && reply.status === 403) {
      client.report.notes.push(`${reply.call} answers 403: only the owner may read it.`)
      continue
    }
    if (!client.checkAnswer(reply, LEVEL)) continue
    if (answer.shape === 'list') {
      const [one] = recordsOf(reply.json)
      if (one) first.set(path, one)
      checkIds(client, reply.call, recordsOf(reply.json))
      if (rest === undefined) await checkPages(client, name, reply.json)
    }
    if (rest === '') checkSameRecord(client, reply.call, id, recordOf(reply.json))
  }
  await checkSearch(client, first.get(rowOf('listSuccessPlans').path))
  await checkRefusals(client)
}

/** The second page must not repeat the first: the app reads until a page has no new ids. */
async function checkPages(client: Client, name: EndpointName, json: unknown): Promise<void> {
  const ids = new Set(recordsOf(json).map((one) => String(idOf(one))))
  const read = readAnswer(rowOf(name), json)
  const { next } = (read.ok ? read.value : {}) as { next?: Record<string, string> | null }
  // The server says that this page is the last.
  if (next === null) return
  const reply = await client.send(name, { query: next ?? { page: '2' } })
  // A server may refuse a page behind the last one.
  if (!isSuccess(reply) && next === undefined) return
  if (!client.checkAnswer(reply, LEVEL)) return
  const repeated = recordsOf(reply.json).filter((one) => ids.has(String(idOf(one))))
  client.report.check(repeated.length === 0, LEVEL, {
    call: reply.call,
    field: 'data',
    value: `${repeated.length} records of the first page`,
    expectation: 'the records after those of the first page',
  })
}

/** The app's own pages have the ids in their addresses. */
function checkIds(client: Client, call: string, records: readonly Json[]): void {
  const unusable = records.map(idOf).filter((id) => /[/?#%]/.test(String(id)))
  client.report.check(unusable.length === 0, LEVEL, {
    call,
    field: 'id',
    value: describe(unusable),
    expectation: 'ids without /, ?, # and %',
  })
}

function checkSameRecord(client: Client, call: string, id: string, record: Json): void {
  client.report.check(String(idOf(record)) === id, LEVEL, {
    call,
    field: 'id',
    value: describe(record['id']),
    expectation: id,
  })
}

/** Capitals that Unicode does not take apart, and what a search may find for them. */
const PLAIN: Record<string, string> = { Ł: 'L', Ø: 'O', Đ: 'D', Ð: 'D', Ħ: 'H', Æ: 'AE', Œ: 'OE' }

/** In capitals; a search may find `Straße` for `STRASSE`, `Müller` for `muller`, and `Łódź` for `lodz`. */
const withoutAccents = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{sc=Zinh}]/gu, '')
    .toLowerCase()
    .toUpperCase()
    .replaceAll(/[ŁØĐÐĦÆŒ]/g, (letter) => PLAIN[letter] ?? letter)

async function checkSearch(client: Client, plan: Json | undefined): Promise<void> {
  if (typeof plan?.['title'] !== 'string') return
  const reply = await client.send('listSuccessPlans', {
    query: { filters: { title: plan['title'] } },
  })
  if (!client.checkAnswer(reply, LEVEL)) return
  const titles = recordsOf(reply.json).map((one) => String(one['title']))
  const searched = withoutAccents(plan['title'])
  client.report.check(
    titles.length > 0 && titles.every((title) => withoutAccents(title).includes(searched)),
    LEVEL,
    {
      call: reply.call,
      field: 'data title',
      value: describe(titles),
      expectation: 'the plans whose title contains the text',
    },
  )
}

async function checkRefusals(client: Client): Promise<void> {
  const expectJson = async (status: number, ...parameters: Parameters<Client['send']>) => {
    const reply = await client.send(...parameters)
    client.report.check(reply.status === status && reply.json !== undefined, LEVEL, {
      call: `${reply.call}${parameters[1]?.anonymous ? ' without a token' : ''}`,
      field: 'status',
      value: answerOf(reply),
      expectation: `${status} with JSON`,
    })
  }
  await expectJson(401, 'getUserinfo', { anonymous: true })
  const list = await client.send('listSuccessPlans')
  const isNumeric = recordsOf(list.json).every((one) => /^\d+$/.test(String(idOf(one))))
  await expectJson(404, 'getSuccessPlan', { path: { id: isNumeric ? '999999999' : randomUUID() } })
}
