// A saved form is offered as a draft again after a crash, or a form that could not be saved has lost its draft.
import { IDBObjectStore } from 'fake-indexeddb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Engine } from '../../../src/sync/core/engine.ts'
import { EngineFixture } from '../engine-fixture.ts'

const DRAFT = ['ann', 'north', 'plan:north-1']
const INPUT = { path: { id: 'north-1' }, body: { title: 'Typed' } }

async function openWithDraft() {
  const stage = new EngineFixture()
  onTestFinished(() => stage.close())
  const engine = await stage.signedInTab('ann')
  stage.network = () => {
    throw new Error('There is no network.')
  }
  await stage.store.transact(['drafts'], 'readwrite', (tx) => {
    tx.put('drafts', DRAFT, 'Typed')
    return Promise.resolve()
  })
  const stored = async () => ({
    draft: await stage.store.transact(['drafts'], 'readonly', (tx) => tx.get('drafts', DRAFT)),
    count: (await engine.outbox.all()).length,
  })
  return { engine, stored }
}

const save = (engine: Engine) => engine.enqueue('updateSuccessPlan', INPUT, undefined, DRAFT)

afterEach(() => void vi.restoreAllMocks())

test('a crash at any write leaves either the draft or the operation, never both', async () => {
  let failed = true
  for (let n = 1; failed; n += 1) {
    const { engine, stored } = await openWithDraft()
    let writes = 0
    for (const method of ['put', 'delete'] as const) {
      const write = Reflect.get(IDBObjectStore.prototype, method) as (...args: unknown[]) => unknown
      vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function failing(
        this: IDBObjectStore,
        ...args: unknown[]
      ) {
        writes += 1
        if (writes === n) this.transaction.abort()
        return write.apply(this, args) as IDBRequest<undefined>
      } as never)
    }
    failed = await save(engine).then(
      () => false,
      () => true,
    )
    vi.restoreAllMocks()
    expect(await stored()).toEqual(
      failed ? { draft: 'Typed', count: 0 } : { draft: undefined, count: 1 },
    )
  }
})

test('an edit that comes too late leaves the draft', async () => {
  const { engine, stored } = await openWithDraft()
  expect(await engine.outbox.edit('gone', INPUT.body, undefined, DRAFT)).toBeUndefined()
  expect(await stored()).toEqual({ draft: 'Typed', count: 0 })
})

test('a corrected operation replaces the draft', async () => {
  const { engine, stored } = await openWithDraft()
  const { id } = await engine.enqueue('updateSuccessPlan', INPUT)
  await engine.outbox.reject(id, { status: 422, message: 'No.' })
  expect(await engine.outbox.edit(id, { title: 'Better' }, undefined, DRAFT)).toBeDefined()
  expect(await stored()).toEqual({ draft: undefined, count: 1 })
})
