// The level "writes": create, edit and delete of each kind of record, in an organisation of its own.
import type { EndpointName } from '../contract/endpoints.ts'
import { resourceOf } from '../contract/resources.ts'
import { answerOf, isSuccess, rowOf, type Client, type Reply } from './client.ts'
import { idOf, recordOf, recordsOf, type Json } from './records.ts'
import { describe } from './report.ts'
import { samples, updateDraft, type Made } from './samples.ts'

const LEVEL = 'writes'
/** Only an organisation whose name begins so is written to. */
const NAME = 'cairn-conform'

/** Deletes what was made, the last first. */
export type CleanUp = (() => Promise<void>)[]

type Id = ReturnType<typeof idOf>
type Sample = (typeof samples)[number]

/** The name of the endpoint that does this with a resource. */
export const callOf = (
  resource: Sample['resource'],
  kind: 'create' | 'update' | 'delete' | 'list',
) => resourceOf(resource).calls[kind] as EndpointName

/**
 * Chooses the first organisation called `cairn-conform…`, or creates one and deletes it in the end. Returns
 * false when there is none.
 */
export async function enterOrganisation(client: Client, cleanUp: CleanUp): Promise<boolean> {
  const { report } = client
  report.begin(LEVEL)
  const existing = recordsOf((await client.send('listOrganisations')).json).find(
    (one) => typeof one['name'] === 'string' && one['name'].startsWith(NAME),
  )
  if (existing) {
    client.organisation_id = String(idOf(existing))
    return true
  }
  client.organisation_id = undefined
  const name = `${NAME} ${new Date().toISOString().slice(0, 16)}`
  const created = await client.send('createOrganisation', { body: { name } })
  if (!client.checkAnswer(created, LEVEL)) return false
  const record = recordOf(created.json)
  if (!checkShown(client, created, { name })) return false
  const path = { id: String(idOf(record)) }
  client.organisation_id = path.id
  cleanUp.push(async () => {
    const deleted = await client.send('deleteOrganisation', { path, body: { name } })
    client.checkAnswer(deleted, LEVEL)
  })
  const edited = await client.send('updateOrganisation', { path, body: { ...record, name } })
  if (client.checkAnswer(edited, LEVEL)) checkShown(client, edited, { name })
  return true
}

/** Creates, reads and edits one record of each kind; returns their ids. */
export async function checkWrites(client: Client, cleanUp: CleanUp): Promise<Made> {
  const made: Made = {}
  for (const sample of samples) {
    const record = await create(client, sample.resource, sample.draft(made), cleanUp)
    if (!record) continue
    made[sample.resource] = idOf(record)
    await checkEdit(client, sample, record)
  }
  if (made['success_plans'] !== undefined) {
    const body = updateDraft()
    const path = { id: String(made['success_plans']) }
    const posted = await client.send('postPlanUpdate', { path, body })
    if (client.checkAnswer(posted, LEVEL)) {
      checkShown(client, posted, { body: body['body'] })
      checkListed(
        client,
        await client.send('listPlanUpdates', { path }),
        idOf(recordOf(posted.json)),
        true,
      )
    }
  }
  return made
}

/** Creates a record that is deleted in the end; undefined when that failed. */
export async function create(
  client: Client,
  resource: Sample['resource'],
  body: Json,
  cleanUp: CleanUp,
  headers: Record<string, string> = {},
): Promise<Json | undefined> {
  const reply = await client.send(callOf(resource, 'create'), { body, headers })
  if (!client.checkAnswer(reply, LEVEL) || !checkShown(client, reply, body)) return undefined
  const record = recordOf(reply.json)
  cleanUp.push(() => remove(client, resource, idOf(record)))
  return record
}

/** Deletes a record, and checks that it is gone. */
async function remove(client: Client, resource: Sample['resource'], id: Id): Promise<void> {
  const path = { id: String(id) }
  const deleted = await client.send(callOf(resource, 'delete'), { path })
  if (!client.checkAnswer(deleted, LEVEL)) return
  const { get, list } = resourceOf(resource).calls
  if (get === undefined) {
    const listed = await client.send(list as EndpointName, { query: { sort: '-created_at' } })
    checkListed(client, listed, id, false)
    return
  }
  const read = await client.send(get as EndpointName, { path })
  client.report.check(read.status === 404 || read.status === 410, LEVEL, {
    call: `${read.call} after its deletion`,
    field: 'status',
    value: answerOf(read),
    expectation: '404 or 410',
  })
}

/** Edits by the whole record as it was read, with the change: what works on any server. */
async function checkEdit(client: Client, sample: Sample, record: Json): Promise<void> {
  const name = callOf(sample.resource, 'update')
  const { method, path } = rowOf(name)
  const id = String(idOf(record))
  const body = method === 'PATCH' ? sample.edit : { ...record, ...sample.edit }
  const edited = await client.send(name, { ...(path.includes('{') && { path: { id } }), body })
  if (!client.checkAnswer(edited, LEVEL)) return
  checkShown(client, edited, {
    ...sample.edit,
    id: record['id'],
    [sample.untouched]: record[sample.untouched],
  })
  const { get } = resourceOf(sample.resource).calls
  if (get === undefined) return
  const read = await client.send(get as EndpointName, { path: { id } })
  if (client.checkAnswer(read, LEVEL)) checkShown(client, read, sample.edit)
}

/** What was asked for is in the record of the answer. */
function checkShown(client: Client, reply: Reply, asked: Json): boolean {
  const record = recordOf(reply.json)
  return Object.entries(asked)
    .map(([name, value]) =>
      client.report.check(isSame(record[name], value), LEVEL, {
        call: reply.call,
        field: name,
        value: describe(record[name]),
        expectation: `${describe(value)}, as it was sent`,
      }),
    )
    .every(Boolean)
}

/** Ids may come as numbers or strings, days with a time, and instants in any precision. */
function isSame(shown: unknown, asked: unknown): boolean {
  if (asked === undefined || asked === null) return shown === undefined || shown === null
  if (JSON.stringify(shown) === JSON.stringify(asked)) return true
  if (typeof asked === 'number') return shown === String(asked)
  if (typeof asked !== 'string') return false
  if (typeof shown === 'number') return String(shown) === asked
  if (typeof shown !== 'string') return false
  if (/^\d{4}-\d\d-\d\d$/.test(asked))
    return shown.startsWith(asked) || shown === asked.replaceAll('-', '')
  return /^\d{4}-\d\d-\d\dT/.test(asked) && Date.parse(shown) === Date.parse(asked)
}

function checkListed(client: Client, reply: Reply, id: Id, isExpected: boolean): void {
  if (!isSuccess(reply)) return
  const isListed = recordsOf(reply.json).some((one) => String(idOf(one)) === String(id))
  client.report.check(isListed === isExpected, LEVEL, {
    call: reply.call,
    field: 'data',
    value: `${isListed ? 'with' : 'without'} the record ${describe(id)}`,
    expectation: isExpected ? 'the record that was created' : 'not the record that was deleted',
  })
}
