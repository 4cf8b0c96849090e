// The level "merges", and what else a server can do beyond the specification.
import { randomUUID } from 'node:crypto'
import { CAPABILITIES_HEADER, type Capability } from '../contract/capabilities.ts'
import { readAnswer } from '../contract/endpoint.ts'
import { endpoints, type EndpointName } from '../contract/endpoints.ts'
import { answerOf, isSuccess, rowOf, type Client } from './client.ts'
import { idOf, recordOf } from './records.ts'
import { describe } from './report.ts'
import { samples, updateDraft, type Made } from './samples.ts'
import { callOf } from './writes.ts'

/** Each record has a version, and an edit that is based on an older one is denied. */
export async function checkVersions(client: Client, made: Made): Promise<void> {
  const { report } = client
  if (made['success_plans'] === undefined) return
  const path = { id: String(made['success_plans']) }
  const read = await client.send('getSuccessPlan', { path })
  const { version } = recordOf(read.json)
  const isVersioned = report.checkCapability(
    typeof version === 'number' && version > 0,
    'versions',
    {
      call: read.call,
      field: 'version',
      value: describe(version),
      expectation: 'a number that grows with each change in the organisation',
    },
  )
  if (!isVersioned) return
  const edit = (title: string, seen: unknown) =>
    client.send('updateSuccessPlan', {
      path,
      body: { title },
      headers: { 'If-Match': `"${String(seen)}"` },
    })
  const fresh = await edit('cairn-conform plan, second title', version)
  const next = recordOf(fresh.json)['version']
  report.checkCapability(
    isSuccess(fresh) && typeof next === 'number' && next > Number(version),
    'versions',
    {
      call: `${fresh.call} with the If-Match of the present version`,
      field: 'version',
      value: isSuccess(fresh) ? describe(next) : answerOf(fresh),
      expectation: `a version above ${String(version)}`,
    },
  )
  const stale = await edit('cairn-conform plan, third title', version)
  const present = recordOf(stale.json)
  report.checkCapability(
    stale.status === 412 &&
      String(idOf(present)) === path.id &&
      present['title'] === 'cairn-conform plan, second title',
    'versions',
    {
      call: `${stale.call} with the If-Match of an older version`,
      field: 'status',
      value: answerOf(stale),
      expectation: '412 with the present record in data',
    },
  )
}

/** A PUT of a part changes that part, and an update changes its plan. */
export async function checkPartsAndEffects(client: Client, made: Made): Promise<void> {
  const { report } = client
  for (const { resource, edit, untouched, draft } of samples) {
    const name = callOf(resource, 'update')
    const { method, path } = rowOf(name)
    const id = made[resource]
    if (method !== 'PUT' || id === undefined) continue
    const isInPath = path.includes('{')
    const reply = await client.send(name, {
      ...(isInPath && { path: { id: String(id) } }),
      body: isInPath ? edit : { id, ...edit },
    })
    const shown = recordOf(reply.json)[untouched]
    report.checkCapability(isSuccess(reply) && shown === draft(made)[untouched], 'partial', {
      call: `${reply.call} with ${Object.keys(edit).join(', ')} alone`,
      field: isSuccess(reply) ? untouched : 'status',
      value: isSuccess(reply) ? describe(shown) : answerOf(reply),
      expectation: 'unchanged',
    })
  }
  if (made['success_plans'] === undefined) return
  const path = { id: String(made['success_plans']) }
  const effects = { progress: 40, health: 'at-risk', status: 'paused' }
  const posted = await client.send('postPlanUpdate', {
    path,
    body: { ...updateDraft(), ...effects },
  })
  const plan = recordOf((await client.send('getSuccessPlan', { path })).json)
  for (const [field, value] of Object.entries(effects))
    report.checkCapability(isSuccess(posted) && plan[field] === value, 'effects', {
      call: `${posted.call} with ${field}`,
      field: `${field} of the plan`,
      value: describe(plan[field]),
      expectation: describe(value),
    })
}

/** The outcome of a renewal is added to its account once, also when it is sent twice. */
export async function checkRenewals(client: Client, made: Made): Promise<void> {
  if (made['accounts'] === undefined) return
  const path = { id: String(made['accounts']) }
  const renewal_outcome = {
    id: randomUUID(),
    due: '2026-12-31',
    outcome: 'churned',
    recorded_at: new Date().toISOString(),
  }
  const record = () => client.send('updateAccount', { path, body: { renewal_outcome } })
  await record()
  const { call } = await record()
  const { renewals } = recordOf((await client.send('getAccount', { path })).json)
  const ids = Array.isArray(renewals) ? (renewals as { id?: unknown }[]).map(({ id }) => id) : []
  client.report.checkCapability(ids.length === 1 && ids[0] === renewal_outcome.id, 'renewals', {
    call: `${call} with renewal_outcome, twice`,
    field: 'renewals of the account',
    value: describe(renewals),
    expectation: 'this outcome, once',
  })
}

/** The calls of capabilities that have no check of their own: whether they are there. */
export async function checkOtherCalls(client: Client, mayWrite: boolean): Promise<void> {
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const { capability } = rowOf(name)
    if (capability === undefined || OWN_CHECKS.has(capability)) continue
    await checkPresence(client, name, capability, mayWrite)
  }
  // Its header changes no answer: whether it is counted, only the server can say.
  client.report.checkCapability(client.report.named?.has('app-version') === true, 'app-version', {
    call: 'all calls',
    field: CAPABILITIES_HEADER,
    value: 'does not name it',
    expectation: 'app-version, where devices are counted by their version',
  })
}

const OWN_CHECKS = new Set<Capability>(['batch', 'changes', 'events'])
const ABSENT_STATUSES = new Set([401, 404, 405, 501])

/**
 * A write is tried with an empty body, which a server that knows the call denies as invalid. It is not there
 * if a call that no server has gets the same status: gateways deny all that they do not know alike.
 */
async function checkPresence(
  client: Client,
  name: EndpointName,
  capability: Capability,
  mayWrite: boolean,
): Promise<void> {
  const { method, path, body, who } = rowOf(name)
  const isRead = method === 'GET'
  if (path.includes('{') || (!isRead && (!mayWrite || !body))) return
  const reply = await client.send(name, isRead ? {} : { body: {} })
  const isAbsent =
    ABSENT_STATUSES.has(reply.status) || reply.status === (await client.unknownStatus(method))
  if (who !== 'anyone' && reply.status === 403 && !isAbsent) {
    client.report.notes.push(`${reply.call} answers 403: this user may not call it.`)
    return
  }
  const isRight = isRead
    ? isSuccess(reply) && readAnswer(rowOf(name), reply.json).ok
    : reply.status < 500 && !isAbsent
  client.report.checkCapability(isRight, capability, {
    call: isRead ? reply.call : `${reply.call} with an empty body`,
    field: 'status',
    value: answerOf(reply),
    expectation: isRead
      ? 'an answer of the contract'
      : '422, and another status for a call that is not there',
  })
}
