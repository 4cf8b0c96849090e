// The fields that a conflict shows, the choices, and the operation that results.
import { expect, it } from 'vitest'
import {
  conflictFields,
  hasNote,
  questionBefore,
  resolvedFields,
  setBy,
  waitingFor,
} from '../../../src/data/operations/conflict-fields.ts'
import { planWith, posting, updateWith } from '../fixtures/record-fixtures.ts'

const conflictWith = (body: object, seen: object, theirs: object) => {
  const fields = Object.keys(seen)
  return posting(body, {
    state: 'attention',
    base: { version: 3, fields: { ...seen } },
    conflict: { fields, theirs: planWith(theirs) },
  })
}

it('shows the user’s value, the one before and the other’s', () => {
  expect(
    conflictFields(conflictWith({ progress: 60 }, { progress: 40 }, { progress: 75 })),
  ).toEqual([{ field: 'progress', mine: 60, before: 40, theirs: 75, possible: true }])
})

it('marks a transition as impossible when the plan no longer allows it', () => {
  const pausing = (status: string) =>
    conflictFields(conflictWith({ status: 'paused' }, { status: 'in-progress' }, { status }))[0]
      ?.possible
  expect(pausing('completed')).toBe(false)
  expect(pausing('cancelled')).toBe(false)
  const completing = conflictWith(
    { status: 'completed', outcome: 'achieved' },
    { status: 'in-progress' },
    { status: 'paused' },
  )
  expect(conflictFields(completing)[0]?.possible).toBe(true)
})

it('does not apply the transitions of plans to actions', () => {
  const edit = conflictWith({ status: 'todo' }, { status: 'in-progress' }, { status: 'cancelled' })
  expect(conflictFields({ ...edit, endpoint: 'updateAction' })[0]?.possible).toBe(true)
})

it('resolves the outcome together with its status', () => {
  const both = conflictWith(
    { status: 'completed', outcome: 'achieved' },
    { status: 'in-progress', outcome: null },
    { status: 'paused', outcome: 'missed' },
  )
  expect(conflictFields(both).map(({ field }) => field)).toEqual(['status'])
  expect(resolvedFields(both, ['status'])).toEqual(['status', 'outcome'])
  expect(resolvedFields(both, [])).toEqual([])
})

it('keeps only the fields that the user chose', () => {
  const two = conflictWith({ progress: 60, health: 'at-risk' }, { progress: 40, health: null }, {})
  expect(resolvedFields(two, ['health'])).toEqual(['health'])
})

it('finds a note only where there is text', () => {
  expect(hasNote(posting({ progress: 60 }))).toBe(false)
  expect(hasNote(posting({ body: 'Go-live agreed.' }))).toBe(true)
})

it('names the author of the update that set the other value last', () => {
  const updates = [
    updateWith({ id: '1', user_id: 'mia', progress_to: 75, written_at: '2026-03-04T10:00:00Z' }),
    updateWith({ id: '2', user_id: 'jon', progress_to: 75, written_at: '2026-03-02T10:00:00Z' }),
    updateWith({ id: '3', user_id: 'eve', progress_to: 80, written_at: '2026-03-05T10:00:00Z' }),
    updateWith({ id: '4', user_id: 'eve', progress_to: null, written_at: '2026-03-06T10:00:00Z' }),
  ]
  expect(setBy(updates, 'progress', 75)?.user_id).toBe('mia')
  expect(setBy(updates, 'progress', 10)).toBeUndefined()
  expect(setBy(updates, 'end_date', '2026-03-01')).toBeUndefined()
  expect(setBy(updates, 'end_date', undefined)).toBeUndefined()
})

it('shows the latest own value, and what waits for the answer', () => {
  const question = conflictWith({ progress: 30 }, { progress: 10 }, { progress: 75 })
  const later = posting({ progress: 60 })
  const withNote = posting({ progress: 80, body: 'Sent without waiting' })
  const about = posting({ health: 'at-risk' })
  const inDoubt = posting({ progress: 90 }, { attempts: 1 })
  const queue = [question, later, withNote, about, inDoubt]
  expect(waitingFor(question, queue)).toEqual([later])
  expect(questionBefore(later, queue)).toEqual(question)
  expect(questionBefore(withNote, queue)).toBeUndefined()
  expect(conflictFields(question, waitingFor(question, queue))[0]).toMatchObject({
    mine: 60,
    before: 10,
    theirs: 75,
  })
})
