import { expect, test } from 'vitest'
import { endpoints, type EndpointName } from '../../contract/endpoints.ts'
import { callsAgree, parentsExist } from '../../contract/resource-schemas.ts'
import { callInfo, resourceOf } from '../../contract/resources.ts'

test('the endpoint table and the table of resources name the same calls', () => {
  expect(callsAgree).toBe(true)
  expect(parentsExist).toBe(true)
  for (const [name, row] of Object.entries(endpoints))
    expect({ name, info: callInfo(name) }).toEqual({
      name,
      info: 'resource' in row ? { resource: row.resource, kind: row.kind } : undefined,
    })
})

test('the calls that write a resource may wait where its row says so', () => {
  for (const [name, row] of Object.entries(endpoints)) {
    const info = callInfo(name)
    if (!info || !['create', 'update', 'append'].includes(info.kind)) continue
    expect({ name, offline: row.offline }).toEqual({
      name,
      offline: resourceOf(info.resource).lane === undefined ? 'online' : 'queue',
    })
  }
})

test('a call of another build belongs to no resource', () => {
  expect(callInfo('createSomethingElse')).toBeUndefined()
  expect(callInfo('constructor')).toBeUndefined()
})

const policyOf = (name: EndpointName) => {
  const row = endpoints[name]
  return 'offlinePolicy' in row ? row.offlinePolicy : undefined
}

test('lanes keep the names under which operations are stored', () => {
  const input = { path: { id: '1' }, body: { id: '1' } }
  const lanes = (Object.keys(endpoints) as EndpointName[]).flatMap((name) => {
    const policy = policyOf(name)
    return policy && callInfo(name) ? [[name, policy.lane(input as never)]] : []
  })
  expect(Object.fromEntries(lanes)).toMatchObject({
    createSuccessPlan: 'success-plan:1',
    updateSuccessPlan: 'success-plan:1',
    postPlanUpdate: 'success-plan:1',
    createAccount: 'account:1',
    updateAccount: 'account:1',
    createInitiative: 'initiative:1',
    updateInitiative: 'initiative:1',
    createAction: 'action:1',
    updateAction: 'action:1',
  })
})
