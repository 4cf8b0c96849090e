import { describe, expect, it } from 'vitest'
import {
  overlayPlan,
  overlayPlans,
  overlayUpdates,
} from '../../../src/data/success-plans/overlay.ts'
import {
  operationWith,
  PLAN_ID,
  planWith,
  posting,
  UPDATE_ID,
  updateWith,
} from '../fixtures/record-fixtures.ts'

const created = (fields = {}) =>
  operationWith({
    endpoint: 'createSuccessPlan',
    input: { body: { id: PLAN_ID, title: 'Written in a tunnel', type: 'project' } },
    ...fields,
  })

describe('plans', () => {
  it('shows a plan created offline', () => {
    const plan = overlayPlan(null, PLAN_ID, [created()])
    expect(plan).toMatchObject({ title: 'Written in a tunnel', status: 'planned', owner_id: 'ada' })
  })

  it('applies an update to a plan created offline', () => {
    const plan = overlayPlan(null, PLAN_ID, [created(), posting({ progress: 15 })])
    expect(plan?.progress).toBe(15)
  })

  it('shows an acknowledged plan once, before and after it was pulled', () => {
    const stored = planWith({ title: 'Written in a tunnel' })
    const acknowledged = created({ state: 'acknowledged', answer: stored })
    expect(overlayPlans([], [acknowledged])).toEqual([stored])
    expect(overlayPlans([stored], [acknowledged])).toEqual([stored])
  })

  it('keeps showing a rejected new plan with its text', () => {
    expect(overlayPlan(null, PLAN_ID, [created({ state: 'attention' })])?.title).toBe(
      'Written in a tunnel',
    )
  })

  it('shows pending progress and health', () => {
    const plan = overlayPlan(planWith(), PLAN_ID, [posting({ progress: 60, health: 'at-risk' })])
    expect(plan).toMatchObject({
      progress: 60,
      health: 'at-risk',
      last_update_at: '2026-03-03T10:00:00.000Z',
    })
  })

  it('does not let an older update that syncs late override a newer one', () => {
    const tuesday = planWith({ progress: 75, last_update_at: '2026-03-03T12:00:00.000Z' })
    const monday = posting({ progress: 50, written_at: '2026-03-02T08:00:00.000Z' })
    expect(overlayPlan(tuesday, PLAN_ID, [monday])).toMatchObject({
      progress: 75,
      last_update_at: '2026-03-03T12:00:00.000Z',
    })
  })

  it('keeps the health and progress that an update does not name', () => {
    const plan = planWith({ health: 'at-risk', progress: 40 })
    expect(overlayPlan(plan, PLAN_ID, [posting({ body: 'Only words' })])).toMatchObject({
      health: 'at-risk',
      progress: 40,
    })
    expect(overlayPlan(plan, PLAN_ID, [posting({ health: 'on-track' })])).toMatchObject({
      health: 'on-track',
      progress: 40,
    })
  })

  it('keeps the health of a later update when an earlier one is sent after it', () => {
    const plan = planWith({ health: 'off-track', last_update_at: '2026-03-03T09:59:00.000Z' })
    const earlier = posting({ health: 'on-track', written_at: '2026-03-03T09:58:59.000Z' })
    expect(overlayPlan(plan, PLAN_ID, [earlier])).toMatchObject({
      health: 'off-track',
      last_update_at: '2026-03-03T09:59:00.000Z',
    })
  })

  it('keeps the progress of a later update when a completion was written before it', () => {
    const plan = planWith({ progress: 70, last_update_at: '2026-03-03T09:59:00.000Z' })
    const completion = posting({
      status: 'completed',
      outcome: 'achieved',
      written_at: '2026-03-03T09:58:59.000Z',
    })
    expect(overlayPlan(plan, PLAN_ID, [completion])).toMatchObject({
      status: 'completed',
      progress: 70,
    })
  })

  it('applies an outcome without a status to a completed plan, and its text to the closing note', () => {
    const closed = { status: 'completed', outcome: 'missed', close_note: 'Closing words' }
    const plan = planWith({ ...closed, progress: 70 })
    const corrected = { status: 'completed', outcome: 'achieved', progress: 100 }
    const correction = posting({ outcome: 'achieved' })
    expect(overlayPlan(plan, PLAN_ID, [correction])).toMatchObject({
      ...corrected,
      close_note: 'Closing words',
    })
    expect(overlayUpdates(PLAN_ID, [], [correction])[0]?.update.progress_to).toBe(100)
    const explained = posting({ outcome: 'achieved', body: 'It came late' })
    expect(overlayPlan(plan, PLAN_ID, [explained])).toMatchObject({
      ...corrected,
      close_note: 'It came late',
    })
    for (const repeated of [{ status: 'completed', outcome: 'achieved' }, { outcome: 'missed' }])
      expect(overlayPlan(plan, PLAN_ID, [posting({ body: 'More', ...repeated })])).toMatchObject({
        ...closed,
        progress: 70,
      })
  })

  it('prefers the pulled record to an answer of the same version', () => {
    const answer = planWith({ version: 11, title: 'As answered', actions_count: 1 })
    const acknowledged = operationWith({
      endpoint: 'updateSuccessPlan',
      input: { path: { id: PLAN_ID }, body: { title: 'As answered' } },
      state: 'acknowledged',
      answer,
    })
    const pulled = { ...answer, actions_count: 2 }
    expect(overlayPlan(pulled, PLAN_ID, [acknowledged])).toBe(pulled)
  })

  it('has no plan that is neither stored nor created here', () => {
    expect(overlayPlan(null, PLAN_ID, [posting({ progress: 60 })])).toBe(null)
  })

  it('clamps a date of writing in the future', () => {
    const plan = overlayPlan(planWith(), PLAN_ID, [
      posting({ progress: 50, written_at: '2027-01-01T00:00:00.000Z' }),
    ])
    expect(plan?.last_update_at).toBe('2026-03-03T10:00:00.000Z')
  })

  it('keeps the progress of an acknowledged update until it was pulled', () => {
    const acknowledged = posting({ progress: 60 }, { state: 'acknowledged', answer: updateWith() })
    expect(overlayPlan(planWith(), PLAN_ID, [acknowledged])?.progress).toBe(60)
  })

  it('lets a newer record override an acknowledged update', () => {
    const acknowledged = posting({ progress: 60 }, { state: 'acknowledged', answer: updateWith() })
    const later = planWith({ progress: 80, version: 14 })
    expect(overlayPlan(later, PLAN_ID, [acknowledged])).toBe(later)
  })

  it('does not apply rejected progress', () => {
    expect(
      overlayPlan(planWith(), PLAN_ID, [posting({ progress: 60 }, { state: 'attention' })]),
    ).toEqual(planWith())
  })

  it('does not apply a status transition that the rules forbid', () => {
    const planned = planWith({ status: 'planned' })
    expect(overlayPlan(planned, PLAN_ID, [posting({ status: 'completed' })])?.status).toBe(
      'planned',
    )
  })

  it('sets progress to 100 when a plan is completed as achieved', () => {
    const done = posting({ status: 'completed', outcome: 'achieved', body: 'All teams live.' })
    expect(overlayPlan(planWith(), PLAN_ID, [done])).toMatchObject({
      status: 'completed',
      progress: 100,
      outcome: 'achieved',
      close_note: 'All teams live.',
    })
    const missed = posting({ status: 'completed', outcome: 'missed' })
    expect(overlayPlan(planWith(), PLAN_ID, [missed])?.progress).toBe(40)
  })

  it('leaves fields alone that an edit does not name', () => {
    const edit = operationWith({
      endpoint: 'updateSuccessPlan',
      input: { path: { id: PLAN_ID }, body: { title: 'Renamed', description: undefined } },
    })
    expect(overlayPlan(planWith({ description: 'Kept' }), PLAN_ID, [edit])).toMatchObject({
      title: 'Renamed',
      description: 'Kept',
      progress: 40,
    })
  })

  it('keeps its identity for unrelated operations', () => {
    const cached = [planWith()]
    expect(overlayPlans(cached, [operationWith({ endpoint: 'updateUserinfo' })])).toBe(cached)
  })
})

describe('the feed of updates', () => {
  it('shows a pending update', () => {
    const [entry] = overlayUpdates(PLAN_ID, [], [posting({ body: 'From the train.' })])
    expect(entry?.update).toMatchObject({
      id: UPDATE_ID,
      body: 'From the train.',
      created_at: null,
      version: 0,
    })
    expect(entry?.operation?.state).toBe('pending')
  })

  it('shows the progress that an update will set: a goal that was reached is complete', () => {
    const progressOf = (body: Parameters<typeof posting>[0]) =>
      overlayUpdates(PLAN_ID, [], [posting(body)])[0]?.update.progress_to
    expect(progressOf({ status: 'completed', outcome: 'achieved' })).toBe(100)
    expect(progressOf({ status: 'completed', outcome: 'missed', progress: 40 })).toBe(40)
    expect(progressOf({ progress: 60 })).toBe(60)
  })

  it('shows an acknowledged update once, before and after it was pulled', () => {
    const acknowledged = posting({}, { state: 'acknowledged', answer: updateWith() })
    const before = overlayUpdates(PLAN_ID, [], [acknowledged])
    expect(before.map(({ update }) => update)).toEqual([updateWith()])
    const after = overlayUpdates(PLAN_ID, [updateWith()], [acknowledged])
    expect(after).toEqual([{ update: updateWith(), operation: null }])
  })

  it('shows an update as sent when the server has it, although the response was lost', () => {
    const unanswered = posting({}, { attempts: 1 })
    expect(overlayUpdates(PLAN_ID, [updateWith()], [unanswered])).toEqual([
      { update: updateWith(), operation: null },
    ])
  })

  it('keeps the text of a rejected update', () => {
    const [entry] = overlayUpdates(PLAN_ID, [], [posting({ body: 'Mine' }, { state: 'attention' })])
    expect(entry?.update.body).toBe('Mine')
    expect(entry?.operation?.state).toBe('attention')
  })

  it('replaces an update that was edited before it was sent', () => {
    // An edit gives the operation a new id; the update keeps its own.
    const feed = overlayUpdates(PLAN_ID, [], [posting({ body: 'Second' }, { id: 'another' })])
    expect(feed.map(({ update }) => [update.id, update.body])).toEqual([[UPDATE_ID, 'Second']])
  })

  it('orders updates by when they were written, newest first', () => {
    const at = (id: string, written_at: string) => updateWith({ id, written_at })
    const stored = [
      at('old', '2026-03-01T10:00:00.000Z'),
      at('new', '2026-03-04T10:00:00.000Z'),
      at('same time, a', '2026-03-02T10:00:00.000Z'),
      at('same time, b', '2026-03-02T10:00:00.000Z'),
    ]
    const pending = posting({ written_at: '2026-03-03T10:00:00.000Z' })
    const feed = overlayUpdates(PLAN_ID, stored, [pending])
    expect(feed.map(({ update }) => update.id)).toEqual([
      'new',
      UPDATE_ID,
      'same time, b',
      'same time, a',
      'old',
    ])
  })

  it('leaves out updates of other plans', () => {
    expect(overlayUpdates('another-plan', [], [posting({})])).toEqual([])
  })
})
