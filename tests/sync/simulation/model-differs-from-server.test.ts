// The simulation checks the engine against a model of the server, so the model must behave like the real
// server: random sequences of requests to both, over all calls that the model implements.
// For more sequences: CONFORMANCE_RUNS=500 CONFORMANCE_SEED=7 npx vitest run model-differs-from-server
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiFixture } from '../../server/fixtures/api-fixture.ts'
import { BATCH } from './model/batch.ts'
import { command, type Command, type RequestCommand } from './model/random-commands.ts'
import { ORGANISATIONS } from './model-server.ts'
import { ServerPair, type PairRequest } from './server-pair.ts'

const RUNS = Number(process.env.CONFORMANCE_RUNS ?? 30)
const SEED = Number(process.env.CONFORMANCE_SEED ?? 10)
const TIMEOUT_MS = 120_000 + RUNS * 6_000

let world: ApiFixture
beforeAll(async () => {
  world = await ApiFixture.open({ tokenLifetimes: { accessTokenSeconds: 900 } })
}, TIMEOUT_MS)
afterAll(() => world.close())

type PlanCommand = Extract<RequestCommand, { type: 'editPlan' | 'deletePlan' | 'postUpdate' }>
type NestedCommand = Extract<
  RequestCommand,
  { type: 'editAccount' | 'createInitiative' | 'editInitiative' | 'createAction' | 'editAction' }
>
type DeleteCommand = Extract<RequestCommand, { type: 'deleteRecord' }>
type BatchCommand = Extract<RequestCommand, { type: 'batch' }>
type ChangesCommand = Extract<RequestCommand, { type: 'changes' }>

const PLANS = '/api/v1/success-plans'

/** The organisation whose records a request names; outsiders name those of `north`. */
const homeOf = ({ caller }: RequestCommand) =>
  ORGANISATIONS.find((one) => one === caller.organisation_id) ?? 'north'

const planId = (command: RequestCommand, plan: string) =>
  plan.length === 1 ? `${homeOf(command)}-${plan}` : plan

/** A write to a plan, with the version that the command chooses for If-Match. */
function planRequest(pair: ServerPair, command: PlanCommand): PairRequest {
  const id = planId(command, command.plan)
  const records = pair.model.tenants.get(command.caller.organisation_id ?? '')?.records
  const { version } = records?.success_plans.get(id) ?? { version: 1 }
  const ifMatch = { none: undefined, current: version, earlier: version - 1 }[command.match]
  const request = { ...command.caller, url: `${PLANS}/${id}`, ...(ifMatch && { ifMatch }) }
  if (command.type === 'deletePlan') return { ...request, method: 'DELETE' }
  if (command.type === 'editPlan') return { ...request, method: 'PATCH', body: command.body }
  const written =
    command.written === undefined ? undefined : world.now.getTime() - command.written * 60_000
  const body = {
    ...command.body,
    ...(written && { written_at: new Date(written).toISOString() }),
  }
  return { ...request, method: 'POST', url: `${request.url}/updates`, body }
}

/** A deletion of an account, an initiative or an action. */
function deleteRequest(pair: ServerPair, { caller, match, record }: DeleteCommand): PairRequest {
  const { noun, id } = record
  const records = pair.model.tenants.get(caller.organisation_id ?? '')?.records[noun]
  const ifMatch = match === 'current' ? records?.get(id)?.version : undefined
  const url = `/api/v1/${noun}/${id}`
  return { ...caller, method: 'DELETE', url, ...(ifMatch !== undefined && { ifMatch }) }
}

/** A write to an account, an initiative or an action. */
function nestedRequest(pair: ServerPair, command: NestedCommand): PairRequest {
  const { body, caller } = command
  if (!('match' in command)) {
    const noun = command.type === 'createAction' ? 'actions' : 'initiatives'
    const success_plan_id = command.plan && planId(command, command.plan)
    const placed = { ...body, ...(success_plan_id && { success_plan_id }) }
    return { ...caller, method: 'POST', url: `/api/v1/${noun}`, body: placed }
  }
  const noun = { editAccount: 'accounts', editInitiative: 'initiatives', editAction: 'actions' }[
    command.type
  ] as 'accounts' | 'initiatives' | 'actions'
  const id = command.type === 'editAction' ? command.body.id : command.id
  const records = pair.model.tenants.get(caller.organisation_id ?? '')?.records[noun]
  const version = records?.get(id)?.version
  const url = `/api/v1/${noun}${command.type === 'editAction' ? '' : `/${id}`}`
  const ifMatch = command.match === 'current' ? version : undefined
  return { ...caller, method: 'PUT', url, body, ...(ifMatch !== undefined && { ifMatch }) }
}

function changesRequest(pair: ServerPair, { caller, since: share }: ChangesCommand): PairRequest {
  const versions = pair.versions.get(caller.organisation_id ?? '')?.keys() ?? []
  const known = [...versions].toSorted((a, b) => a - b)
  const place = Math.floor(share * known.length)
  const foreign = place < 0 ? (known[0] ?? 0) - 100_000 : (known.at(-1) ?? 0) + 100_000
  const since = Math.max(1, known[place] ?? foreign)
  return { ...withoutKey(caller), method: 'GET', url: '/api/v1/changes', since }
}

function createPlanRequest(command: Extract<RequestCommand, { type: 'createPlan' }>): PairRequest {
  const { account, caller } = command
  const account_id = account === 'seeded' ? `${homeOf(command)}-a` : account
  const body = { ...command.body, ...(account_id && { account_id }) }
  return { ...caller, method: 'POST', url: PLANS, body }
}

/** A batch of writes, each in the lane of its record. */
function batchRequest(pair: ServerPair, command: BatchCommand): PairRequest {
  const { caller, isMalformed, writes } = command
  const last = new Map<string, string>()
  const operations = writes.map(({ write, key, isChained }) => {
    const { method, url, body, ifMatch } = requestOf(pair, { ...write, caller })
    const [, , , noun = '', id = String(body?.id)] = url.split('/')
    const lane = `${noun}:${id}`
    const earlier = isChained ? last.get(lane) : undefined
    last.set(lane, key)
    return { key, lane, method, path: url, body, ifMatch, if_match_from: earlier }
  })
  const [first] = operations
  if (isMalformed && first) operations.push({ ...first, method: 'GET', key: String(caller.key) })
  return { ...withoutKey(caller), method: 'POST', url: BATCH, operations }
}

const isNested = (command: RequestCommand): command is NestedCommand =>
  /Account$|Initiative$|Action$/.test(command.type) && command.type !== 'createAccount'

/** The request that a command makes in the current state of both servers. */
function requestOf(pair: ServerPair, command: RequestCommand): PairRequest {
  const { caller } = command
  if (command.type === 'batch') return batchRequest(pair, command)
  if (isNested(command)) return nestedRequest(pair, command)
  if (command.type === 'deleteRecord') return deleteRequest(pair, command)
  if ('match' in command) return planRequest(pair, command)
  if (command.type === 'createPlan') return createPlanRequest(command)
  if (command.type === 'changes') return changesRequest(pair, command)
  if (command.type === 'createAccount')
    return { ...caller, method: 'POST', url: '/api/v1/accounts', body: command.body }
  if (command.type === 'rename')
    return { ...caller, method: 'PUT', url: '/api/v1/userinfo', body: command.body }
  if (command.type === 'editConsents')
    return { ...caller, method: 'PUT', url: '/api/v1/notification-consents', body: command.body }
  const updates = `success-plans/${planId(command, command.plan)}/updates`
  const path = command.path === 'updates' ? updates : command.path
  return { ...withoutKey(caller), method: 'GET', url: `/api/v1/${path}?page=1&per_page=500` }
}

function withoutKey<T extends { key?: string }>({ key: _key, ...others }: T): Omit<T, 'key'> {
  return others
}

function repeated(
  sent: readonly PairRequest[],
  { back, withKey }: { back: number; withKey: boolean },
): PairRequest | undefined {
  const request = sent.at(-1 - back)
  return !request || withKey ? request : withoutKey(request)
}

test('the model of the server answers as the server does', { timeout: TIMEOUT_MS }, async () => {
  const statuses = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60 }), async (commands) => {
      // Time passes between runs, so that the rate limit does not add up.
      world.advance({ minutes: 2 })
      const pair = await ServerPair.open(world)
      const sent: PairRequest[] = []
      const run = async (one: Command): Promise<string[]> => {
        if (one.type === 'refresh') return pair.refresh(one.user_id, one.age)
        if (one.type === 'signIn') return pair.signIn(one.user_id).then(() => [])
        if (one.type === 'pause') return []
        const request = one.type === 'repeat' ? repeated(sent, one) : requestOf(pair, one)
        if (!request) return []
        sent.push(request)
        const { status, results = [], found } = await pair.send(request)
        for (const result of results) statuses.set(`batched ${result}`, 1)
        const name = `${one.type} ${status}`
        statuses.set(name, (statuses.get(name) ?? 0) + 1)
        const isTransition = one.type === 'postUpdate' && one.body.status !== undefined
        if (isTransition) statuses.set(`transition ${status}`, 1)
        const isOutcome = one.type === 'editAccount' && one.body.renewal_outcome !== undefined
        if (isOutcome) statuses.set(`outcome ${status}`, 1)
        return found.map((line) => `${JSON.stringify(request)}\n  ${line}`)
      }
      for (const one of commands) {
        // No two requests share an instant.
        world.advance({ seconds: one.type === 'pause' ? one.seconds : 0.017 })
        expect(await run(one)).toEqual([])
      }
      for (const organisation_id of ORGANISATIONS) {
        await pair.signIn('ann')
        const url = '/api/v1/changes'
        const all = { method: 'GET', url, user_id: 'ann', organisation_id, since: 0 }
        expect((await pair.send(all)).found).toEqual([])
      }
    }),
    // Shrinking would take longer than reading the request that differs.
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  )
  // The sequences reach the answers that matter.
  const reached = [
    'createAccount 201',
    'createPlan 201',
    'createPlan 422',
    'editPlan 200',
    'editPlan 404',
    'editPlan 412',
    'editPlan 422',
    'postUpdate 201',
    'postUpdate 404',
    'postUpdate 412',
    'postUpdate 422',
    'transition 201',
    'transition 422',
    'deletePlan 204',
    'deleteRecord 204',
    'deleteRecord 404',
    'changes 200',
    'changes 410',
    'repeat 200',
    'repeat 201',
    'repeat 422',
    'rename 401',
    'editConsents 200',
    'batch 200',
    'batch 401',
    'batch 403',
    'batch 422',
    'batched 200',
    'batched 201',
    'batched 204',
    'batched 404',
    'batched 412',
    'batched 422',
    'batched null',
    'editAccount 200',
    'outcome 200',
    'createInitiative 201',
    'editInitiative 200',
    'editInitiative 422',
    'createAction 201',
    'createAction 422',
    'editAction 200',
  ]
  expect(reached.filter((name) => !statuses.has(name))).toEqual([])
})

// Random requests seldom reach a record with all that belongs to it.
test('the model deletes as the server does', { timeout: TIMEOUT_MS }, async () => {
  world.advance({ minutes: 2 })
  const pair = await ServerPair.open(world)
  const statuses: number[] = []
  const send = async (method: string, path: string, more: Partial<PairRequest> = {}) => {
    world.advance({ seconds: 1 })
    const by = { user_id: 'ann', organisation_id: 'north' }
    const { status, found } = await pair.send({ method, url: `/api/v1/${path}`, ...by, ...more })
    expect(found).toEqual([])
    statuses.push(status)
  }
  const uuid = (last: number) => `00000000-0000-4000-8000-00000000090${last}`
  const [account, plan, initiative, action, second, update] = [1, 2, 3, 4, 5, 6].map(uuid)
  const records = pair.model.tenants.get('north')?.records
  const versionOf = (id = '') => records?.success_plans.get(id)?.version ?? 0
  const title = 'text 1'
  await send('POST', 'accounts', { body: { id: account, name: title } })
  await send('POST', 'success-plans', { body: { id: plan, title, account_id: account } })
  await send('POST', 'initiatives', { body: { id: initiative, title, success_plan_id: plan } })
  await send('POST', 'actions', { body: { id: action, title, initiative_id: initiative } })
  await send('POST', 'actions', { body: { id: second, title, success_plan_id: plan } })
  await send('PUT', 'actions', { body: { id: second, status: 'done' } })
  await send('DELETE', `accounts/${account}`)
  await send('DELETE', `actions/${second}`)
  await send('GET', 'success-plans?page=1&per_page=500')
  await send('DELETE', `initiatives/${initiative}`)
  await send('DELETE', `actions/${action}`)

  const ifMatch = versionOf(plan)
  await send('POST', `success-plans/${plan}/updates`, { body: { id: uuid(7), body: 'text 2' } })
  const theirs = { body: { id: update, body: 'text 3' }, user_id: 'bob' }
  await send('POST', `success-plans/${plan}/updates`, theirs)
  await send('DELETE', `success-plans/${plan}`, { ifMatch })
  // Of those that its caller has posted there is nothing to ask.
  await send('DELETE', `success-plans/${plan}`, { ifMatch: versionOf(plan) })
  await send('DELETE', `accounts/${account}`)
  await send('GET', 'changes', { since: 0 })
  expect(statuses).toEqual([
    201, 201, 201, 201, 201, 200, 422, 204, 200, 204, 404, 201, 201, 412, 204, 204, 200,
  ])
})
