// A proxy answers 404 while its server starts, or for a route that it does not know. That says nothing about
// a record, a membership or a deletion.
import { expect, onTestFinished, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import type { NetworkRequest } from '../../../src/sync/core/ports.ts'
import { EngineFixture, offline, waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const getPlan = product.calls['getSuccessPlan']!
const listOrganisations = product.calls['listOrganisations']!

/** Answers of Traefik, of an ingress controller, of nginx, and of proxies that say nothing. */
const ANSWERS = [
  { status: 404, headers: { 'content-type': 'text/plain' }, text: '404 page not found\n' },
  { status: 404, headers: { 'content-type': 'text/plain' }, text: 'default backend - 404' },
  { status: 404, headers: { 'content-type': 'text/html' }, text: '<h1>404 Not Found</h1>' },
  { status: 410, headers: {}, text: '' },
  { status: 404, headers: { 'content-type': 'application/json' }, text: '' },
] as const

/** The proxy answers the first `count` requests that `isOf` holds for. */
function proxyAnswers<T>(
  stage: { network: EngineFixture['network'] },
  answer: T,
  isOf: (request: NetworkRequest) => boolean,
  count = Infinity,
) {
  const { network } = stage
  let left = count
  stage.network = (request, own) => {
    if (left === 0 || !isOf(request)) return network(request, own)
    left -= 1
    return { ...answer } as ReturnType<EngineFixture['network']>
  }
}
const isDeletion = ({ method }: NetworkRequest) => method === 'DELETE'

test.for(ANSWERS)(
  'a deletion that a proxy answers with $status is made later: $text',
  async (answer) => {
    const stage = new EngineFixture()
    onTestFinished(() => stage.close())
    const tab = await stage.signedInTab('ann')
    const plans = stage.server.tenants.get('north')!.records.success_plans
    proxyAnswers(stage, answer, isDeletion, 1)
    await tab.enqueue('deleteSuccessPlan', { path: { id: 'north-1' } }, plans.get('north-1'))
    await waitFor(async () => expect(await tab.outbox.all()).toEqual([]))
    expect(stage.requests.filter(isDeletion)).toHaveLength(2)
    expect(plans.has('north-1')).toBe(false)
  },
)

test.for(ANSWERS)(
  'a record that a proxy answers with $status, though others are answered, is still there: $text',
  async (answer) => {
    const stage = new PlainFixture()
    const tab = await stage.readTab()
    proxyAnswers(stage, answer, ({ url }) => url.endsWith('/success-plans/1'))
    stage.plain.records.tables['success-plans'].shift()
    await tab.pullScheduler.pullAgain()
    expect(await stored(tab, 'success_plans')).toHaveLength(40)
    expect(await tab.call(getPlan, { path: { id: '1' } })).toMatchObject({
      kind: 'unreachable',
      notUnderstood: true,
    })
  },
)

test.for(ANSWERS)(
  'an organisation whose first answer is the $status of a proxy stays the active one: $text',
  async (answer) => {
    const stage = new PlainFixture()
    const tab = await stage.readTab()
    proxyAnswers(stage, answer, () => true, 1)
    expect(await tab.call(listOrganisations, {})).toEqual({
      kind: 'unreachable',
      isForeign: true,
    })
    expect(await tab.call(listOrganisations, {})).toMatchObject({ kind: 'answered' })
    expect(tab.session.current().session?.active_organisation).toEqual({ id: '1' })
  },
)

test('an edit that a proxy answers with 404 needs no attention, and is made later', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const [seen] = await stored(tab, 'accounts')
  proxyAnswers(stage, ANSWERS[0], ({ method }) => method === 'PUT', 1)
  const path = { id: '1' }
  await tab.enqueue('updateAccount', { path, body: { name: 'Ours' } }, seen)
  await stage.settled(tab)
  expect(stage.plain.records.tables.accounts[0]).toMatchObject({ name: 'Ours' })
  expect((await tab.outbox.all()).filter(({ state }) => state === 'attention')).toEqual([])
})

test.for(ANSWERS.filter(({ status }) => status === 404))(
  'calls that only a proxy answers with 404 are not there, and are not repeated: $text',
  async (answer) => {
    const stage = new PlainFixture({ capabilities: 'changes, events, templates' })
    const isAbsent = ({ url }: NetworkRequest) => /\/(changes|events|templates)\b/.test(url)
    proxyAnswers(stage, answer, isAbsent)
    const tab = await stage.readTab()
    tab.subscription.setVisible(true)
    const count = (part: string) => stage.requests.filter(({ url }) => url.includes(part)).length
    await waitFor(() => expect(count('/events')).toBe(1))
    for (let pulls = 0; pulls < 3; pulls += 1) await tab.pullScheduler.pullAgain()
    expect(await stored(tab, 'success_plans')).toHaveLength(40)
    expect([count('/changes'), count('/templates')]).toEqual([1, 1])
    expect(tab.state.connection.get()).toBe('online')
  },
)

test.for(ANSWERS)(
  'what a proxy answers with $status to a user who is signed out can be asked for again: $text',
  async (answer) => {
    const stage = new PlainFixture()
    stage.address = { baseUrl: '', capabilities: 'passkeys, recovery, oidc' }
    const tab = await stage.tab()
    proxyAnswers(stage, answer, () => true)
    const calls = ['startPasskeySignIn', 'startOidcSignIn', 'forgotPassword', 'resetPassword']
    for (const name of calls) {
      const call = product.calls[name]!
      for (let press = 0; press < 2; press += 1)
        expect(await tab.call(call, { body: {} })).toMatchObject({
          kind: 'refused',
          error: { status: answer.status },
        })
      expect(tab.http.capabilities.has(call.capability ?? '')).toBe(true)
      expect(stage.requests.filter(({ url }) => url === call.path)).toHaveLength(2)
    }
    expect(tab.state.connection.get()).toBe('online')
  },
)

test('what a server answers with 404 in JSON without a session is not there', async () => {
  const stage = new PlainFixture()
  stage.address = { baseUrl: '', capabilities: 'recovery' }
  const tab = await stage.tab()
  const headers = { 'content-type': 'application/json' }
  proxyAnswers(stage, { status: 404, headers, text: '{"message":"Not Found"}' }, () => true, 1)
  await tab.call(product.calls['forgotPassword']!, { body: {} })
  expect(tab.http.capabilities.has('recovery')).toBe(false)
})

test.for(ANSWERS)(
  'a list that only a proxy answers, with $status, keeps its copy and costs no other list: $text',
  async (answer) => {
    const stage = new PlainFixture()
    const tab = await stage.readTab()
    proxyAnswers(stage, answer, ({ url }) => /\/accounts\?/.test(url))
    stage.plain.records.tables['success-plans'][0]!.title = 'Renamed'
    await tab.pullScheduler.pullAgain()
    expect(await stored(tab, 'accounts')).toHaveLength(3)
    expect((await stored(tab, 'success_plans')).map(({ title }) => title)).toContain('Renamed')
    expect(tab.state.readReport.get().refused).toEqual({ accounts: answer.status })
  },
)

test('a device that only a proxy answers is offline, and goes on when the server is back', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = offline
  await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co' } })
  stage.network = stage.answer
  const { network } = stage
  proxyAnswers(stage, ANSWERS[0], () => true)
  await tab.pullScheduler.pullAgain()
  expect(tab.state.connection.get()).toBe('offline')
  expect(tab.session.current().session?.active_organisation).toEqual({ id: '1' })
  stage.network = network
  await stage.settled(tab)
  expect(stage.plain.records.tables.accounts.at(-1)).toMatchObject({ name: 'Flood Co' })
})
