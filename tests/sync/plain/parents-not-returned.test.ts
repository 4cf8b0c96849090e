// A server returns no parent of a record, or names its author by a name: after a lost answer the record was not
// recognised, and made again.
import { expect, test } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { PlainFixture, stored } from './plain-fixture.ts'

const CREATES: Record<string, (tab: Engine) => Promise<unknown>> = {
  'success-plans': (tab) =>
    tab.enqueue('createSuccessPlan', {
      body: { id: crypto.randomUUID(), title: 'Dry feet', account_id: '1' },
    }),
  actions: (tab) =>
    tab.enqueue('createAction', {
      body: {
        id: crypto.randomUUID(),
        title: 'Order pumps',
        initiative_id: '1',
        success_plan_id: '1',
      },
    }),
}

/** A device whose server shows records without those fields, or with others, and answers a POST in that way. */
async function pageWhere(shown: object, answer: 'lost' | 'not sent' | 'empty') {
  const stage = new PlainFixture({ writes: answer === 'empty' ? 'empty' : 'record' })
  const { records } = stage.plain
  const present = records.present.bind(records)
  records.present = (table, record) => ({ ...present(table, record), ...shown })
  const tab = await stage.readTab()
  let isLost = false
  stage.network = (request) => {
    const isFirst = request.method === 'POST' && !isLost
    if (!isFirst || answer === 'empty') return stage.answer(request)
    isLost = true
    if (answer === 'lost') stage.answer(request)
    throw new TypeError('Failed to fetch')
  }
  return { stage, tab }
}

const waiting = async (tab: Engine) =>
  (await tab.outbox.all())
    .filter(({ state }) => state === 'attention')
    .map(({ last_error }) => last_error?.code)

const NO_PARENT = { account_id: undefined, success_plan_id: undefined }

test.for<[string, string, object]>([
  ['a plan without its account', 'success-plans', NO_PARENT],
  ['a plan whose author is a name', 'success-plans', { created_by: 'Ana' }],
  ['an action whose author is an address', 'actions', { created_by: 'ana@plain.test' }],
])('%s is not made again after a lost answer: its author is asked', async ([, noun, shown]) => {
  const { stage, tab } = await pageWhere(shown, 'lost')
  await CREATES[noun]?.(tab)
  await stage.settled(tab)
  expect(stage.plain.seen('POST', new RegExp(`${noun}$`))).toHaveLength(1)
  expect(await waiting(tab)).toEqual(['undecided'])
})

test('records are found below parents that the server answers as records, and so is a plan after a lost answer', async () => {
  const stage = new PlainFixture({ oddities: { 'nested-parents': 'all' } })
  const tab = await stage.readTab()
  expect(await stored(tab, 'success_plans')).toContainEqual(
    expect.objectContaining({ id: '1', account_id: '1', owner_id: '1' }),
  )
  expect(await stored(tab, 'actions')).toMatchObject([{ success_plan_id: '1', initiative_id: '1' }])
  let isLost = false
  stage.network = (request) => {
    const real = stage.answer(request)
    if (request.method !== 'POST' || isLost) return real
    isLost = true
    throw new TypeError('Failed to fetch')
  }
  await CREATES['success-plans']?.(tab)
  await stage.settled(tab)
  expect(stage.plain.seen('POST', /success-plans$/)).toHaveLength(1)
  expect(await waiting(tab)).toEqual([])
})

test('an action that shows its initiative alone is recognised', async () => {
  const { stage, tab } = await pageWhere(NO_PARENT, 'lost')
  await CREATES.actions?.(tab)
  await stage.settled(tab)
  expect(stage.plain.seen('POST', /actions$/)).toHaveLength(1)
  // As after a full answer: no record has shown its plan.
  expect(await waiting(tab)).toEqual(['not_kept'])
})

test.for(['success-plans', 'actions'])(
  'what the server took without an answer is recognised: %s',
  async (noun) => {
    const { stage, tab } = await pageWhere({ ...NO_PARENT, created_by: 'Ana' }, 'empty')
    await CREATES[noun]?.(tab)
    await stage.settled(tab)
    expect(stage.plain.seen('POST', new RegExp(`${noun}$`))).toHaveLength(1)
    // As after a full answer: no record has shown its parent.
    expect(await waiting(tab)).toEqual(['not_kept'])
  },
)

test.for(['success-plans', 'actions'])(
  'what has not arrived is sent again, beside an earlier one in the same words: %s',
  async (noun) => {
    const { stage, tab } = await pageWhere({ ...NO_PARENT, created_by: 'Ana' }, 'not sent')
    const table = noun === 'actions' ? 'actions' : 'success-plans'
    const { tables } = stage.plain.records
    Object.assign(tables[table][0] ?? {}, {
      title: noun === 'actions' ? 'Order pumps' : 'Dry feet',
    })
    await tab.pullScheduler.pullAgain()
    await CREATES[noun]?.(tab)
    await stage.settled(tab)
    expect(stage.plain.seen('POST', new RegExp(`${noun}$`))).toHaveLength(1)
    expect(await waiting(tab)).not.toContain('undecided')
    const titles = tables[table].map(({ title }) => title)
    expect(titles.at(-1)).toBe(titles[0])
  },
)

test('what a colleague has made meanwhile in the same words is not asked about', async () => {
  const { stage, tab } = await pageWhere({}, 'not sent')
  const real = stage.network
  stage.network = (request, answer) => {
    if (request.method !== 'POST' || stage.plain.seen('POST', /actions$/).length > 0)
      return real(request, answer)
    const { actions } = stage.plain.records.tables
    const theirs = { title: 'Order pumps', created_by: '2', initiative_id: '1' }
    actions.push({ ...actions[0]!, ...theirs, id: '900' })
    return real(request, answer)
  }
  await CREATES.actions?.(tab)
  await stage.settled(tab)
  expect(await waiting(tab)).toEqual([])
  expect(stage.plain.seen('POST', /actions$/)).toHaveLength(1)
})
