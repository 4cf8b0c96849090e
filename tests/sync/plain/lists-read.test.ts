// A server has only the lists of the specification, in pages of its own.
import { expect, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import type { Engine } from '../../../src/sync/core/engine.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

test.for<[string, Partial<PlainOptions>]>([
  ['a number of pages', {}],
  ['links to the next page', { pagination: 'simple' }],
  ['cursors', { pagination: 'cursor' }],
  ['cursors without links', { pagination: 'cursor-alone' }],
  ['a number of records, and none of pages', { pagination: 'total' }],
  ['neither links nor meta', { withoutMeta: true }],
  ['maps', { lists: 'map' }],
  ['pages inside the envelope', { lists: 'nested' }],
  ['pages inside the envelope, and no number of them', { lists: 'nested', pagination: 'simple' }],
  ['per_page refused', { perPage: 'refused' }],
  ['per_page refused, and no meta', { perPage: 'refused', withoutMeta: true }],
  ['per_page honoured', { perPage: 'honoured', pageSize: 20 }],
  ['ids that JavaScript cannot hold', { ids: 'large-integers' }],
  ['UUIDs', { ids: 'uuids' }],
])('reads all records with %s', async ([, options]) => {
  const stage = new PlainFixture(options)
  const tab = await stage.readTab()
  const { tables } = stage.plain.records
  const ids = (await stored(tab, 'success_plans')).map(({ id }) => id)
  expect(ids.toSorted()).toEqual(tables['success-plans'].map(({ id }) => id).toSorted())
  expect(await stored(tab, 'accounts')).toHaveLength(3)
  expect(tab.state.connection.get()).toBe('online')
  expect(tab.state.lastSyncedAt.get()).not.toBe(null)
  expect(tab.state.readReport.get()).toEqual({ unread: [], refused: {}, notKept: {} })
})

test.for([401, 403, 404, 405, 410, 422, 501] as const)(
  'a server that answers %i to calls that it announces is read by its lists, and loses no session',
  async (unknownRoutes) => {
    const capabilities = 'changes, events, templates'
    const stage = new PlainFixture({ unknownRoutes, capabilities })
    const tab = await stage.readTab()
    tab.subscription.setVisible(true)
    for (let count = 0; count < 3; count += 1) await tab.pullScheduler.pullAgain()
    expect(await stored(tab, 'success_plans')).toHaveLength(40)
    expect(tab.session.current().session?.user.id).toBe('1')
    await waitFor(() => expect(stage.plain.seen('GET', /\/events$/)).not.toHaveLength(0))
    // Asked once, and not again while its lists are read.
    const asked = unknownRoutes === 401 || unknownRoutes === 410 ? 2 : 1
    expect(stage.plain.seen('GET', /\/changes$/)).toHaveLength(asked)
    // At most once for each call that is not there.
    const refreshes = stage.plain.seen('POST', /token$/).length - 1
    expect(refreshes).toBeLessThanOrEqual(unknownRoutes === 401 ? 3 : 0)
  },
)

test.for([401, 403, 404, 405, 500, 501, 503])(
  'a list that answers %i keeps its copy, and costs no other list',
  async (status) => {
    const stage = new PlainFixture()
    const tab = await stage.readTab()
    const end = stage.plain.refuse({ method: 'GET', path: /\/accounts$/ }, status)
    stage.plain.records.tables['success-plans'][0]!.title = 'Renamed'
    await tab.pullScheduler.pullAgain()
    expect(await stored(tab, 'accounts')).toHaveLength(3)
    expect(await stored(tab, 'success_plans')).toContainEqual(
      expect.objectContaining({ title: 'Renamed' }),
    )
    const isLasting = status !== 500 && status !== 503
    expect(tab.state.readReport.get().refused).toEqual(isLasting ? { accounts: status } : {})
    end()
    await tab.pullScheduler.pullAgain()
    expect(tab.state.readReport.get().refused).toEqual({})
  },
)

test('a list that answers 500 is named from the third reading on, until it is read', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const end = stage.plain.refuse({ method: 'GET', path: /\/accounts$/ }, 500)
  const refused: unknown[] = []
  const read = async () => {
    await tab.pullScheduler.pullAgain()
    refused.push(tab.state.readReport.get().refused)
  }
  for (let count = 0; count < 4; count += 1) await read()
  end()
  await read()
  const named = { accounts: 500 }
  expect(refused).toEqual([{}, {}, named, named, {}])
})

test('a list that answers 500 is named at once to a user who asked for it, and stays named', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const end = stage.plain.refuse({ method: 'GET', path: /\/accounts$/ }, 500)
  await tab.pullScheduler.pull()
  expect(tab.state.readReport.get().refused).toEqual({ accounts: 500 })
  await tab.pullScheduler.pullAgain()
  expect(tab.state.readReport.get().refused).toEqual({ accounts: 500 })
  expect(await stored(tab, 'accounts')).toHaveLength(3)
  end()
  await tab.pullScheduler.pullAgain()
  expect(tab.state.readReport.get().refused).toEqual({})
})

test('a record that a list lacks is gone when its own read says so', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const { tables } = stage.plain.records
  tables['success-plans'].splice(0, 1)
  await tab.pullScheduler.pullAgain()
  expect(await stored(tab, 'success_plans')).toHaveLength(39)

  // The list forgets a record that is still there.
  const answer = stage.answer
  stage.network = (request) => {
    const real = answer(request)
    if (!/\/accounts\?/.test(request.url)) return real
    const body = JSON.parse(real.text) as { data: { id: number }[] }
    const data = body.data.filter(({ id }) => id !== 2)
    return { ...real, text: JSON.stringify({ ...body, data }) }
  }
  await tab.pullScheduler.pullAgain()
  expect(await stored(tab, 'accounts')).toHaveLength(3)
})

test('an action that a list lacks is gone at the second reading', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.plain.records.tables.actions = []
  await tab.pullScheduler.pullAgain()
  expect(await stored(tab, 'actions')).toHaveLength(1)
  await tab.pullScheduler.pullAgain()
  expect(await stored(tab, 'actions')).toHaveLength(0)
})

test('a page that does not arrive removes nothing', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) => {
    if (/success-plans\?.*page=2/.test(request.url)) throw new Error('There is no network.')
    return stage.answer(request)
  }
  await tab.pullScheduler.pullAgain()
  await tab.pullScheduler.pullAgain()
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
})

test('an acknowledged operation stays until its list was read', async () => {
  const stage = new PlainFixture({ ids: 'uuids', clientIds: 'unique' })
  const tab = await stage.readTab()
  const end = stage.plain.refuse({ method: 'GET', path: /\/accounts$/ }, 403)
  const { id } = await tab.enqueue('createAccount', {
    body: { id: crypto.randomUUID(), name: 'Flood Co' },
  })
  await waitFor(async () =>
    expect(await tab.outbox.all()).toMatchObject([{ state: 'acknowledged' }]),
  )
  await tab.pullScheduler.pullAgain()
  expect(await tab.outbox.all()).toMatchObject([{ id }])
  end()
  await tab.pullScheduler.pullAgain()
  expect(await tab.outbox.all()).toEqual([])
  expect(await stored(tab, 'accounts')).toHaveLength(4)
})

test.for([
  ['accounts', 'createAccount', { name: 'Flood Co' }],
  ['actions', 'createAction', { title: 'Pump', success_plan_id: '1' }],
] as const)(
  'what was made stays on the screen where the list of %s misses it, as when another one is deleted between two pages',
  async ([table, call, body]) => {
    const stage = new PlainFixture()
    const tab = await stage.readTab()
    // It is not read until it has been made.
    const end = stage.plain.refuse({ method: 'GET', path: new RegExp(`/${table}$`) }, 403)
    await tab.enqueue(call, { body: { id: crypto.randomUUID(), ...body } })
    await waitFor(async () =>
      expect(await tab.outbox.all()).toMatchObject([{ state: 'acknowledged' }]),
    )
    await tab.pullScheduler.pullAgain()
    const made = stage.plain.records.tables[table].at(-1)?.id
    let hasMissed = false
    stage.network = (request) => {
      const real = stage.answer(request)
      if (request.method !== 'GET' || !request.url.includes(`/${table}?`)) return real
      // One reading only: a retry may read the list again at once, and what two readings lack is gone.
      if (hasMissed) return { ...real, status: 503 }
      hasMissed = true
      const page = JSON.parse(real.text) as { data: { id: number }[] }
      const data = page.data.filter(({ id }) => String(id) !== made)
      return { ...real, text: JSON.stringify({ ...page, data }) }
    }
    end()
    await tab.pullScheduler.pullAgain()
    const isStored = async () => (await stored(tab, table)).some(({ id }) => id === made)
    expect((await tab.outbox.all()).length > 0 || (await isStored())).toBe(true)
    stage.network = stage.answer
    await tab.pullScheduler.pullAgain()
    expect(await tab.outbox.all()).toEqual([])
    expect(await isStored()).toBe(true)
  },
)

/** The list of plans lacks the last one, as when another plan is deleted between two of its pages. */
function withoutLastPlan(stage: PlainFixture) {
  stage.network = (request) => {
    const real = stage.answer(request)
    if (request.method !== 'GET' || !/\/success-plans\?/.test(request.url)) return real
    const body = JSON.parse(real.text) as { data: { id: number }[] }
    const data = body.data.filter(({ id }) => id !== 40)
    return { ...real, text: JSON.stringify({ ...body, data }) }
  }
}
const states = async (tab: Engine) => (await tab.outbox.all()).map(({ state }) => state)

test('an update stays in the outbox while its feed was not read, though a list lacks its plan', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const body = { id: crypto.randomUUID(), body: 'They signed.' }
  await tab.enqueue('postPlanUpdate', { path: { id: '40' }, body })
  await waitFor(async () => expect(await states(tab)).toEqual(['acknowledged']))
  withoutLastPlan(stage)
  const end = stage.plain.refuse({ method: 'GET', path: /success-plans\/40$/ }, 503)
  await tab.pullScheduler.pullAgain()
  expect(await states(tab)).toEqual(['acknowledged'])
  end()
  await tab.pullScheduler.pullAgain()
  expect(await states(tab)).toEqual(['acknowledged'])
  // A plan that is gone takes its updates along.
  stage.plain.records.tables['success-plans'].splice(39, 1)
  await tab.pullScheduler.pullAgain()
  expect(await states(tab)).toEqual([])
})

test('an edit stays in the outbox until its record was read, though a list lacks that', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const seen = (await stored(tab, 'success_plans')).find(({ id }) => id === '40')
  let end = () => {}
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (request.method !== 'PATCH') return answer
    // From here on, so that no reading after the edit sees it.
    withoutLastPlan(stage)
    end = stage.plain.refuse({ method: 'GET', path: /success-plans\/40$/ }, 503)
    return answer
  }
  await tab.enqueue('updateSuccessPlan', { path: { id: '40' }, body: { title: 'Renamed' } }, seen)
  await waitFor(async () => expect(await states(tab)).toEqual(['acknowledged']))
  const titles = async () => (await stored(tab, 'success_plans')).map(({ title }) => title)
  await tab.pullScheduler.pullAgain()
  expect(await titles()).not.toContain('Renamed')
  expect(await states(tab)).toEqual(['acknowledged'])
  end()
  await tab.pullScheduler.pullAgain()
  expect(await titles()).toContain('Renamed')
  expect(await states(tab)).toEqual([])
})

test('a deleted action does not come back while its deletion is not proven by two readings', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const [seen] = await stored(tab, 'actions')
  const input = { path: { id: seen?.id ?? '' }, body: { title: 'It' } }
  /** At each reading after the deletion: what is on the device. */
  const views: [string[], number][] = []
  stage.delayRequest = async ({ method, url }) => {
    if (method === 'GET' && /\/actions\?/.test(url) && stage.plain.seen('DELETE', /./).length > 0)
      views.push([await states(tab), (await stored(tab, 'actions')).length])
  }
  await tab.enqueue('deleteAction', input, seen)
  await waitFor(async () => expect(await states(tab)).toEqual(['acknowledged']))
  await waitFor(async () => {
    await tab.pullScheduler.pullAgain()
    expect([await states(tab), await stored(tab, 'actions')]).toEqual([[], []])
  })
  expect(views).toContainEqual([['acknowledged'], 1])
  expect(views).not.toContainEqual([[], 1])
})

test('a call that screens make is repeated without per_page where that is refused', async () => {
  const stage = new PlainFixture({ perPage: 'refused' })
  const tab = await stage.anasTab()
  const outcome = await tab.call(product.calls['listOrganisations']!, { query: { per_page: 500 } })
  expect(outcome).toMatchObject({ kind: 'answered', value: { data: [{ name: 'North' }] } })
})

test('a list whose later page is refused for its size is read from its beginning without one', async () => {
  const stage = new PlainFixture({ perPage: 'honoured' })
  stage.network = (request) => {
    const hasSize = request.url.includes('per_page=')
    if (hasSize && /\/success-plans\?.*\bpage=2/.test(request.url))
      return { status: 422, headers: JSON_TYPE, text: '{"code":"too_large"}' }
    const real = stage.answer(request)
    // Links have the size that was asked for.
    return hasSize ? real : { ...real, text: real.text.replaceAll(/&per_page=\d+/g, '') }
  }
  const tab = await stage.readTab()
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
  expect(tab.state.readReport.get().refused).toEqual({})
  expect(stage.plain.seen('GET', /\/success-plans$/)).toHaveLength(4)
})

test('an empty list is known to be empty, and one that was refused is not', async () => {
  const stage = new PlainFixture({}, { accounts: 0, plans: 0 })
  const end = stage.plain.refuse({ path: /\/actions$/ }, 403)
  const tab = await stage.readTab()
  const collection = (name: string) => tab.activeReplica()?.collection(name)
  expect(await collection('accounts')).toEqual([])
  expect(await collection('actions')).toBe(undefined)
  end()
  await tab.pullScheduler.pullAgain()
  expect(await collection('actions')).toHaveLength(1)
})

/** A page of plans as a server writes it that says no number of pages. */
type Around = (page: { data: object[]; total: number }) => object

test.for<[string, Around]>([
  ['the size asked for', ({ data, total }) => ({ data, total, per_page: 500 })],
  ['the size in meta', ({ data, total }) => ({ data, meta: { total, per_page: 500 } })],
  ['its own records', ({ data }) => ({ data, total: data.length })],
  ['no cursor of a mode that was not asked for', ({ data }) => ({ data, next_cursor: null })],
  ['no cursor in meta', ({ data }) => ({ data, meta: { next_cursor: null } })],
  ['the last page again in place of one too high', ({ data, total }) => ({ data, total })],
])('reads all records where a page names %s', async ([, around]) => {
  const stage = new PlainFixture({ pagination: 'total', pageSize: 12 })
  stage.network = (request) => {
    if (request.method !== 'GET' || !/[?&]page=/.test(request.url)) return stage.answer(request)
    const isClamped = /success-plans\?/.test(request.url)
    const url = isClamped ? request.url.replace(/([?&]page=)([5-9]|\d\d)/, '$14') : request.url
    const real = stage.answer({ ...request, url })
    return { ...real, text: JSON.stringify(around(JSON.parse(real.text) as Parameters<Around>[0])) }
  }
  const tab = await stage.readTab()
  for (let count = 0; count < 3; count += 1) {
    expect(await stored(tab, 'success_plans')).toHaveLength(40)
    expect(await tab.activeReplica()?.collection('actions')).toHaveLength(1)
    expect(tab.state.connection.get()).toBe('online')
    await tab.pullScheduler.pullAgain()
  }
  expect(stage.plain.seen('GET', /\/success-plans\/\d+$/)).toEqual([])
})

test('a list that ends before as many records as it says is not understood', async () => {
  const stage = new PlainFixture({ pagination: 'total' })
  const tab = await stage.readTab()
  stage.network = (request) => {
    const real = stage.answer(request)
    return { ...real, text: real.text.replace('"total":40', '"total":41') }
  }
  await tab.pullScheduler.pullAgain()
  expect(tab.state.connection.get()).toBe('not-understood')
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
})

/** Answers each page of a list as `change` makes it from the first one. */
const repeatPages = (stage: PlainFixture, list: RegExp, change: (page: Page) => object): void => {
  stage.network = (request) => {
    const url = request.url.replace(/([?&])page=\d+/, '$1page=1')
    const real = stage.answer({ ...request, url })
    if (request.method !== 'GET' || !list.test(request.url)) return stage.answer(request)
    return { ...real, text: JSON.stringify(change(JSON.parse(real.text) as Page)) }
  }
}
interface Page {
  data: object[]
  meta: { last_page: number }
}

test.for<[string, (page: Page) => object]>([
  ['and a number of pages', (page) => ({ data: page.data, meta: page.meta })],
  [
    'and a number of pages without end',
    ({ data, meta }) => ({ data, meta: { ...meta, last_page: 1_000_000 } }),
  ],
  ['and says that it has more records', ({ data }) => ({ data, total: 40 })],
  [
    'and links in a circle',
    ({ data }) => ({ data, links: { next: 'http://api.plain.test/success-plans?page=2' } }),
  ],
])('a list that answers its first page again %s is not understood', async ([, change]) => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  repeatPages(stage, /\/success-plans\?/, change)
  stage.plain.records.tables.accounts[0]!.name = 'Renamed'
  const asked = () => stage.plain.seen('GET', /\/success-plans$/).length
  const before = asked()
  await tab.pullScheduler.pullAgain()
  expect(asked()).toBe(before + 2)
  expect(tab.state.connection.get()).toBe('not-understood')
  // What was read before stays, and other lists are read.
  expect(stage.plain.seen('GET', /\/success-plans\/\d+$/)).toEqual([])
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
  expect(await stored(tab, 'accounts')).toContainEqual(expect.objectContaining({ name: 'Renamed' }))

  stage.network = stage.answer
  await tab.pullScheduler.pullAgain()
  expect(tab.state.connection.get()).toBe('online')
})

test('links that lead to an empty page at the end are a whole list', async () => {
  const stage = new PlainFixture({ pagination: 'cursor' })
  stage.network = (request) => {
    const real = stage.answer(request)
    return { ...real, text: real.text.replace('"next":null', '"next":"?cursor=eyJmcm9tIjo5OTl9"') }
  }
  const tab = await stage.readTab()
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
  expect(tab.state.connection.get()).toBe('online')
})

test('a feed of changes that has more and never advances is left for the lists', async () => {
  const stage = new PlainFixture({ capabilities: 'changes' })
  let asked = 0
  stage.network = (request) => {
    if (!request.url.includes('/changes')) return stage.answer(request)
    asked += 1
    const headers = { 'content-type': 'application/json' }
    const text = JSON.stringify({ data: {}, version: 0, more: asked < 50 })
    return { ...stage.answer(request), status: 200, headers, text }
  }
  const tab = await stage.readTab()
  expect(asked).toBe(1)
  expect(await stored(tab, 'success_plans')).toHaveLength(40)
})

test('null in place of an empty list is an empty list', async () => {
  const stage = new PlainFixture({ lists: 'null' }, { accounts: 0, plans: 0 })
  const tab = await stage.readTab()
  expect(await tab.activeReplica()?.collection('accounts')).toEqual([])
  expect(tab.state.connection.get()).toBe('online')
})

const JSON_TYPE = { 'content-type': 'application/json' }
const PAGE = { 'content-type': 'text/html' }

test.for<[string, { status: number; headers: Record<string, string>; text: string } | undefined]>([
  ['a page', { status: 200, headers: PAGE, text: '<h1>Hi</h1>' }],
  ['a page that forbids', { status: 403, headers: PAGE, text: '<h1>No</h1>' }],
  ['an empty text', { status: 200, headers: JSON_TYPE, text: '' }],
  ['an error in the form of an answer', { status: 200, headers: JSON_TYPE, text: '{"ok":false}' }],
  ['no answer', undefined],
])(
  'two lists that get %s cost no other list, and do not leave the app offline',
  async ([, answer]) => {
    const stage = new PlainFixture()
    const isBroken = ({ url }: { url: string }) => /\/(accounts|initiatives)\?/.test(url)
    stage.network = (request) => {
      if (!isBroken(request)) return stage.answer(request)
      if (!answer) throw new Error('No answer.')
      return answer
    }
    const tab = await stage.anasTab()
    const states = new Set<string>()
    tab.state.connection.subscribe(() => states.add(tab.state.connection.get()))
    await tab.pullScheduler.pull()
    expect(await stored(tab, 'actions')).toHaveLength(1)
    expect(await stored(tab, 'organisation_users')).toHaveLength(1)
    expect(tab.state.connection.get()).toBe(answer ? 'not-understood' : 'online')
    expect(states.has('offline')).toBe(answer === undefined)
  },
)

test('a page in place of the answer to one screen is no lasting problem of the connection', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.plain.refuse({ path: /\/onboarding$/ }, 200, '<h1>Hi</h1>')
  const readings = stage.plain.seen('GET', /\/accounts$/).length
  const call = product.calls['getOnboarding']
  if (!call) throw new Error('There is no such call.')
  const outcome = await tab.call(call, {})
  expect(outcome).toEqual({ kind: 'unreachable', notUnderstood: true })
  expect(tab.state.connection.get()).toBe('not-understood')
  await waitFor(() => expect(tab.state.connection.get()).toBe('online'))
  expect(stage.plain.seen('GET', /\/accounts$/)).toHaveLength(readings)
})

test('a retry during a reading does not forget what the reading has not understood', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) => {
    if (/\/accounts\?/.test(request.url))
      return { status: 200, headers: JSON_TYPE, text: '{"ok":false}' }
    // The retry comes while a later list is read.
    if (/\/actions\?/.test(request.url)) tab.wake()
    return stage.answer(request)
  }
  await tab.pullScheduler.pullAgain()
  expect(tab.state.connection.get()).toBe('not-understood')
})
