// A second edit overwrites, without a question, what others have set beneath the first one.
import { expect, it } from 'vitest'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { overlayPlans } from '../../../src/data/success-plans/overlay.ts'
import { operationWith, PLAN_ID, planWith, posting } from '../fixtures/record-fixtures.ts'

const editing = (body: object, before: object, fields = {}) =>
  operationWith({
    endpoint: 'updateSuccessPlan',
    input: { path: { id: PLAN_ID }, body },
    base: { version: 10, fields: { ...before } },
    ...fields,
  })
const first = editing({ description: 'Mine' }, { description: null })
/** The plan as it is shown when the replica has version 12 of it. */
const shown = (theirs: Partial<SuccessPlan>, operations = [first]) =>
  overlayPlans([planWith({ ...theirs, version: 12 })], operations)[0]

it('shows the version before the value that a pending edit covers', () => {
  expect(shown({ description: 'Theirs' })).toMatchObject({ description: 'Mine', version: 10 })
})

it('shows the version of the record where nothing of others is covered', () => {
  // Another field, no change, and the own value: the server has it, and its answer was lost.
  const others = [{ title: 'Theirs' }, { description: null }, { description: 'Mine' }]
  for (const theirs of others) expect(shown(theirs)?.version).toBe(12)
})

it('takes no value of an earlier edit for that of others', () => {
  const second = editing({ description: 'Mine too' }, { description: 'Mine' })
  expect(shown({ description: null }, [first, second])?.version).toBe(12)
  expect(shown({ description: 'Mine' }, [first, second])?.version).toBe(12)
  expect(shown({ description: 'Theirs' }, [first, second])?.version).toBe(10)
})

it('covers nothing with an edit that is asked about, or acknowledged', () => {
  const asked = editing({ description: 'Mine' }, { description: null }, { state: 'attention' })
  const answer = planWith({ description: 'Mine', version: 11 })
  const acknowledged = editing(
    { description: 'Mine' },
    { description: null },
    { state: 'acknowledged', answer },
  )
  for (const one of [asked, acknowledged])
    expect(shown({ description: 'Theirs' }, [one])).toMatchObject({
      description: 'Theirs',
      version: 12,
    })
})

it('counts what an update sets', () => {
  const update = posting({ progress: 60 }, { base: { version: 10, fields: { progress: 40 } } })
  expect(shown({ progress: 45 }, [update])).toMatchObject({ progress: 60, version: 10 })
  expect(shown({ progress: 40 }, [update])?.version).toBe(12)
})
