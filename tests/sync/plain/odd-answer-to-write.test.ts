// A server answers a write with 2xx, and not with the record that was asked for, or under an id of its own.
import { expect, test } from 'vitest'
import { lostFields } from '../../../src/sync/core/arrival/content.ts'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const posts = (stage: PlainFixture) => stage.plain.seen('POST', /updates$/)

test.for<[string, Partial<PlainOptions>]>([
  ['an id of its own', {}],
  ['a text that it has cleaned up', { text: 'sanitised' }],
  ['204', { writes: 'empty' }],
  ['a message', { writes: 'message' }],
])('with %s: it has arrived, and is sent once', async ([, options]) => {
  const stage = new PlainFixture(options)
  const tab = await stage.readTab()
  await tab.enqueue('postPlanUpdate', {
    path: { id: '1' },
    body: { id: crypto.randomUUID(), body: 'They <b>signed</b> & left.' },
  })
  await stage.settled(tab)
  expect(posts(stage)).toHaveLength(1)
  expect(JSON.parse(posts(stage)[0]?.body ?? '')).not.toHaveProperty('id')
  const [operation] = await tab.outbox.all()
  expect(operation ?? { state: 'acknowledged' }).toMatchObject({ state: 'acknowledged' })
})

test('what the server took and never shows needs attention, and is not sent again', async () => {
  const stage = new PlainFixture({ writes: 'empty' })
  const tab = await stage.readTab()
  stage.plain.dropWrites = true
  await tab.enqueue('postPlanUpdate', {
    path: { id: '1' },
    body: { id: crypto.randomUUID(), body: 'They signed.' },
  })
  await stage.settled(tab)
  const [operation] = await tab.outbox.all()
  expect(operation).toMatchObject({ state: 'attention', last_error: { code: 'not_found' } })
  expect(posts(stage)).toHaveLength(1)
})

test.for<[string, Partial<PlainOptions>]>([
  ['204', { writes: 'empty' }],
  ['a message', { writes: 'message' }],
])(
  'with %s under a key, from a server that makes the ids: it is not asked for again, but looked for',
  async ([, options]) => {
    const stage = new PlainFixture({ ...options, capabilities: 'keys' })
    const tab = await stage.readTab()
    const post = () =>
      tab.enqueue('postPlanUpdate', {
        path: { id: '1' },
        body: { id: crypto.randomUUID(), body: 'They signed.' },
      })
    await post()
    await stage.settled(tab)
    expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
    // The record of the first one is not taken for that of another in the same words.
    await post()
    await stage.settled(tab)
    expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
    expect(posts(stage)).toHaveLength(2)
    const { aliases } = await tab.outbox.read()
    expect(new Set(aliases.map(({ id }) => id)).size).toBe(2)
  },
)

test.for(['', 'keys', 'ids', 'ids, keys'])(
  'an answer with the id of a new update alone says nothing of its text: it is not to be posted again (%s)',
  async (capabilities) => {
    const stage = new PlainFixture({
      capabilities,
      clientIds: capabilities.includes('ids') ? 'unique' : 'ignored',
    })
    const tab = await stage.readTab()
    const answers = new Map<string | undefined, ReturnType<typeof stage.answer>>()
    stage.network = (request) => {
      const isPost = request.method === 'POST' && request.url.endsWith('/updates')
      if (!isPost) return stage.answer(request)
      const key = request.headers['Idempotency-Key']
      const answer = (key && answers.get(key)) || stage.answer(request)
      answers.set(key, answer)
      const { data } = JSON.parse(answer.text) as { data: { id: unknown } }
      return { ...answer, text: JSON.stringify({ data: { id: data.id } }) }
    }
    await tab.enqueue('postPlanUpdate', {
      path: { id: '1' },
      body: { id: crypto.randomUUID(), body: 'They signed.' },
    })
    await stage.settled(tab)
    const [operation] = await tab.outbox.all()
    expect(operation).toMatchObject({ state: 'acknowledged', answer: { body: 'They signed.' } })
    expect(posts(stage)).toHaveLength(1)
  },
)

test('an edit that was taken, of a record that cannot be read afterwards: its author decides', async () => {
  const stage = new PlainFixture({ writes: 'empty' })
  const tab = await stage.readTab()
  const [seen] = await stored(tab, 'actions')
  stage.network = (request) => {
    const answer = stage.answer(request)
    if (request.method !== 'GET') stage.plain.options.oddities = { 'null-titles': 'first' }
    return answer
  }
  await tab.enqueue('updateAction', { body: { id: '1', title: 'Ours' } }, seen)
  await stage.settled(tab)
  const [operation] = await tab.outbox.all()
  expect(operation).toMatchObject({ state: 'attention', last_error: { code: 'undecided' } })
  expect(stage.plain.records.tables.actions[0]).toMatchObject({ title: 'Ours' })
})

test('an edit that a server with keys takes with 204 is sent once', async () => {
  const stage = new PlainFixture({ writes: 'empty', capabilities: 'ids, keys, versions' })
  const tab = await stage.readTab()
  const seen = (await stored(tab, 'accounts')).find(({ id }) => id === '1')
  await tab.enqueue('updateAccount', { path: { id: '1' }, body: { name: 'Ours' } }, seen)
  await stage.settled(tab)
  // It leaves the device when a pull has shown it.
  expect((await tab.outbox.all()).filter(({ state }) => state !== 'acknowledged')).toEqual([])
  expect(stage.plain.records.tables.accounts[0]).toMatchObject({ name: 'Ours' })
  expect(stage.plain.seen('PUT', /accounts/)).toHaveLength(1)
})

test('an edit that was taken has arrived when its record shows it, though the list is refused', async () => {
  const stage = new PlainFixture({ writes: 'empty' })
  const tab = await stage.readTab()
  const seen = (await stored(tab, 'accounts')).find(({ id }) => id === '1')
  stage.plain.refuse({ method: 'GET', path: /accounts$/ }, 403)
  await tab.enqueue('updateAccount', { path: { id: '1' }, body: { name: 'Ours' } }, seen)
  await stage.settled(tab)
  expect(stage.plain.records.tables.accounts[0]).toMatchObject({ name: 'Ours' })
  expect(await tab.outbox.all()).toMatchObject([{ state: 'acknowledged' }])
})

test('a field that the server ignores needs attention, and what it kept has arrived', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  await tab.enqueue('createAccount', {
    body: { id: crypto.randomUUID(), name: 'Flood Co', health: 'on-track', notes: 'Call them.' },
  })
  const ignored = stage.plain.records
  const present = ignored.present.bind(ignored)
  ignored.present = (table, record) => ({ ...present(table, record), notes: null })
  await stage.settled(tab)
  expect(stage.plain.seen('POST', /accounts$/)).toHaveLength(1)
  const open = (await tab.outbox.all()).filter(({ state }) => state === 'attention')
  expect(open).toMatchObject([
    {
      endpoint: 'updateAccount',
      input: { path: { id: '4' }, body: { notes: 'Call them.' } },
      last_error: { code: 'not_kept', errors: { notes: [] } },
    },
  ])
})

test('a field that was not kept is not written again over what another person has set since', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const ignored = stage.plain.records
  const present = ignored.present.bind(ignored)
  ignored.present = (table, record) => ({ ...present(table, record), notes: null })
  await tab.enqueue('createAccount', {
    body: { id: crypto.randomUUID(), name: 'Flood Co', notes: 'Call them.' },
  })
  await stage.settled(tab)
  const open = async () => (await tab.outbox.all()).find(({ state }) => state === 'attention')
  ignored.present = present
  Object.assign(ignored.tables.accounts.at(-1) ?? {}, { notes: 'Theirs.' })
  await tab.outbox.retry((await open())?.id ?? '')
  await tab.outboxChanged()
  await waitFor(async () =>
    expect((await open())?.conflict).toMatchObject({
      fields: ['notes'],
      theirs: { notes: 'Theirs.' },
    }),
  )
  expect(ignored.tables.accounts.at(-1)).toMatchObject({ notes: 'Theirs.' })
})

test('a switch whose answer is a message is compared with what the server has, and sent once', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) => {
    const answer = stage.answer(request)
    return request.method === 'PUT' ? { ...answer, text: '{"message":"ok"}' } : answer
  }
  const shown: unknown[] = []
  tab.state.operations.subscribe(() => {
    shown.push(...tab.state.operations.get().flatMap(({ answer }) => answer ?? []))
  })
  for (const product_news of [true, false]) {
    const email = { plan_update: true, product_news }
    await tab.enqueue('updateNotificationConsents', { body: { email } })
    await stage.settled(tab)
    await waitFor(() => expect(shown.at(-1)).toMatchObject({ email }))
  }
  expect((await tab.outbox.all()).map(({ state }) => state)).not.toContain('attention')
  expect(stage.plain.seen('PUT', /consents$/)).toHaveLength(2)
})

test('a status that a server promises to change and ignores is not taken for changed', async () => {
  const stage = new PlainFixture({ capabilities: 'effects' })
  const tab = await stage.readTab()
  await tab.enqueue('postPlanUpdate', {
    path: { id: '1' },
    body: { id: crypto.randomUUID(), body: 'Waiting for legal.', status: 'paused' },
  })
  await stage.settled(tab)
  expect(await tab.outbox.all()).toMatchObject([
    { state: 'attention', last_error: { code: 'not_kept', errors: { status_to: [] } } },
  ])
})

test('a status that a server with keys begins to ignore while the update is on its way is not taken for changed', async () => {
  const stage = new PlainFixture({ capabilities: 'ids, keys, effects', clientIds: 'unique' })
  const tab = await stage.readTab()
  stage.network = (request) => {
    if (request.method === 'POST') stage.plain.options.capabilities = 'ids, keys'
    return stage.answer(request)
  }
  await tab.enqueue('postPlanUpdate', {
    path: { id: '1' },
    body: { id: crypto.randomUUID(), body: 'Waiting for legal.', status: 'paused' },
  })
  await stage.settled(tab)
  expect(await tab.outbox.all()).toMatchObject([
    { state: 'attention', last_error: { code: 'not_kept', errors: { status_to: [] } } },
  ])
})

test('an answer that says "pending" in place of the status has kept it', () => {
  const asked = { status: 'completed', title: 'Pilot' }
  const kept = (answer: object) =>
    lostFields(
      asked,
      { ...asked, ...answer },
      { mustShow: ['status'], raw: { ...asked, ...answer } },
    )
  expect(kept({ status: 'pending' })).toEqual({ lost: [], absent: [] })
  expect(kept({ status: 'planned' })).toMatchObject({ lost: ['status'] })
  expect(kept({ title: 'pending' })).toMatchObject({ lost: ['title'] })
})

test.for(['0', '-1', '1.5', 'Thu, 01 Jan 1970 00:00:00 GMT'])(
  'a server that asks for a wait of %s is not asked again at once',
  async (after) => {
    const stage = new PlainFixture()
    const tab = await stage.readTab()
    const headers = { 'content-type': 'application/json', 'retry-after': after }
    stage.network = (request) =>
      request.method === 'POST' ? { status: 429, headers, text: '{}' } : stage.answer(request)
    const at = Date.now()
    await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'New' } })
    await waitFor(async () => {
      const [operation] = await tab.outbox.all()
      expect(operation?.not_before).toBeGreaterThanOrEqual(at + 2_000)
    })
    expect(
      stage.requests.filter(({ method, url }) => method === 'POST' && /accounts/.test(url)).length,
    ).toBe(1)
  },
)

test('a server may give the same id in each organisation', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  const account = { id: 77, name: 'New', status: 'active' }
  stage.network = (request) =>
    request.method === 'POST'
      ? {
          status: 201,
          headers: { 'content-type': 'application/json' },
          text: JSON.stringify({ data: account }),
        }
      : stage.answer(request)
  const create = async () => {
    await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'New' } })
    await stage.settled(tab)
    const { last_error, state } = (await tab.outbox.all()).at(-1) ?? {}
    expect({ last_error, state: state ?? 'acknowledged' }).toMatchObject({ state: 'acknowledged' })
  }
  await create()
  const { user_id = '' } = tab.session.caller() ?? {}
  await tab.session.update(user_id, { active_organisation: { id: '2' } })
  await create()
})

test('times to the second, and lists in another order, are what was asked for', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) => {
    const real = stage.answer(request)
    const text = real.text
      .replaceAll(/(T\d\d:\d\d:\d\d)\.\d+Z/g, '$1Z')
      .replaceAll('["north","alpine"]', '["alpine","north"]')
    return { ...real, text }
  }
  await tab.enqueue('createAccount', {
    body: { id: crypto.randomUUID(), name: 'Alm', tags: ['north', 'alpine'] },
  })
  await tab.enqueue('updateAction', {
    body: { id: '1', status: 'done', completed_at: '2026-03-01T09:00:00.987Z' },
  })
  await stage.settled(tab)
  expect(stage.plain.seen('PUT', /\/actions$/)).toHaveLength(1)
  expect((await tab.outbox.all()).filter(({ state }) => state === 'attention')).toEqual([])
})

test('a server may say itself when an action was done, and number the actions itself', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) => {
    const real = stage.answer(request)
    const text = real.text
      .replaceAll(/"completed_at":"[^"]+"/g, '"completed_at":"2026-03-01T09:30:00Z"')
      .replaceAll('"position":1.5', '"position":2')
    return { ...real, text }
  }
  const completed_at = new Date(stage.now()).toISOString()
  await tab.enqueue('updateAction', { body: { id: '1', status: 'done', completed_at } })
  await tab.enqueue('updateAction', { body: { id: '1', position: 1.5 } })
  await stage.settled(tab)
  expect(stage.plain.seen('PUT', /\/actions$/)).toHaveLength(2)
  expect((await tab.outbox.all()).filter(({ state }) => state === 'attention')).toEqual([])

  // A time that was chosen is asked about.
  const chosen = { completed_at: '2026-02-01T09:00:00.000Z' }
  await tab.enqueue('updateAction', { body: { id: '1', status: 'done', ...chosen } })
  await stage.settled(tab)
  expect(await tab.outbox.all()).toContainEqual(
    expect.objectContaining({
      state: 'attention',
      last_error: expect.objectContaining({ code: 'not_kept', errors: { completed_at: [] } }),
    }),
  )
})

test('a server that has no order of actions is not one that numbers them', async () => {
  const stage = new PlainFixture({ unknownFields: { actions: ['position'] } })
  const tab = await stage.readTab()
  await tab.enqueue('updateAction', { body: { id: '1', position: 1.5 } })
  await stage.settled(tab)
  expect(await tab.outbox.all()).toMatchObject([
    { state: 'attention', last_error: { errors: { position: ['never_returned'] } } },
  ])
})

test.for([
  ['&#x27;', "'"],
  ['&#x2F;', '/'],
  ['&#8217;', '’'],
  ['&apos;', "'"],
  ['&nbsp;', ' '],
  ['&Uuml;', 'Ü'],
  ['&eacute;', 'é'],
  ['&szlig;', 'ß'],
])('%s is the character %s', async ([entity, character]) => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) => {
    const real = stage.answer(request)
    return { ...real, text: real.text.replaceAll(`The ${character} text`, `The ${entity} text`) }
  }
  await tab.enqueue('postPlanUpdate', {
    path: { id: '1' },
    body: { id: crypto.randomUUID(), body: `The ${character} text` },
  })
  await stage.settled(tab)
  expect((await tab.outbox.all()).filter(({ state }) => state === 'attention')).toEqual([])
  expect(stage.plain.seen('POST', /updates$/)).toHaveLength(1)
})

test.for(['&Uumlaut;', '&constructor;', '&#x110000;', '&amp', '&nbsp'])('%s is text', (entity) => {
  const shown = lostFields({ title: 'A text' }, { title: `A ${entity}` }, {})
  expect(shown.lost).toEqual(['title'])
  expect(lostFields({ title: entity }, { title: entity }, {}).lost).toEqual([])
})

test('a list with another entry is not what was asked for', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = (request) => {
    const real = stage.answer(request)
    return { ...real, text: real.text.replaceAll('["north","north"]', '["north","alpine"]') }
  }
  await tab.enqueue('createAccount', {
    body: { id: crypto.randomUUID(), name: 'Alm', tags: ['north', 'north'] },
  })
  await waitFor(async () =>
    expect((await tab.outbox.all()).map(({ state }) => state)).toContain('attention'),
  )
})

test('the eighth answer that is not as agreed is the last one, until its author wants another', async () => {
  const stage = new PlainFixture({ capabilities: 'ids, keys=86400' })
  const tab = await stage.readTab()
  let count = 0
  stage.network = (request) => {
    if (request.method !== 'POST' || !request.url.endsWith('/accounts'))
      return stage.answer(request)
    count += 1
    const headers = { 'content-type': 'application/json' }
    return { status: 200, headers, text: '{"message":"ok"}' }
  }
  const { id } = await tab.enqueue('createAccount', {
    body: { id: crypto.randomUUID(), name: 'Flood Co' },
  })
  await stage.settled(tab)
  expect(count).toBe(8)
  expect(await tab.outbox.all()).toMatchObject([
    { id, state: 'attention', odd_answers: 8, last_error: { status: 0 } },
  ])
  stage.aheadMs += 3_600_000
  tab.wake()
  await tab.pullScheduler.pullAgain()
  expect(count).toBe(8)
})
