import { describe, expect, it } from 'vitest'
import { foldPlan, foldPlans, foldUpdates } from '../../src/features/success-plans/fold.ts'
import { operationWith, PLAN_ID, planWith, posting, UPDATE_ID, updateWith } from './operations.ts'

const created = (fields = {}) =>
  operationWith({
    endpoint: 'createSuccessPlan',
    input: { body: { id: PLAN_ID, title: 'Written in a tunnel', type: 'project' } },
    ...fields,
  })

describe('plans', () => {
  it('plan-made-offline-is-missing', () => {
    const plan = foldPlan(null, PLAN_ID, [created()])
    expect(plan).toMatchObject({ title: 'Written in a tunnel', status: 'planned', owner_id: 'ada' })
  })

  it('update-of-a-plan-made-offline-is-lost', () => {
    const plan = foldPlan(null, PLAN_ID, [created(), posting({ progress: 15 })])
    expect(plan?.progress).toBe(15)
  })

  it('acknowledged-then-read-back-plan-shows-twice', () => {
    const stored = planWith({ title: 'Written in a tunnel' })
    const acknowledged = created({ state: 'acknowledged', answer: stored })
    expect(foldPlans([], [acknowledged])).toEqual([stored])
    expect(foldPlans([stored], [acknowledged])).toEqual([stored])
  })

  it('refused-new-plan-vanishes-with-its-text', () => {
    expect(foldPlan(null, PLAN_ID, [created({ state: 'attention' })])?.title).toBe(
      'Written in a tunnel',
    )
  })

  it('pending-progress-is-not-shown', () => {
    const plan = foldPlan(planWith(), PLAN_ID, [posting({ progress: 60, health: 'at-risk' })])
    expect(plan).toMatchObject({
      progress: 60,
      health: 'at-risk',
      last_update_at: '2026-03-03T10:00:00.000Z',
    })
  })

  it('monday-update-synced-wednesday-undoes-tuesday', () => {
    const tuesday = planWith({ progress: 75, last_update_at: '2026-03-03T12:00:00.000Z' })
    const monday = posting({ progress: 50, written_at: '2026-03-02T08:00:00.000Z' })
    expect(foldPlan(tuesday, PLAN_ID, [monday])).toMatchObject({
      progress: 75,
      last_update_at: '2026-03-03T12:00:00.000Z',
    })
  })

  it('clock-that-runs-ahead-wins-for-ever', () => {
    const plan = foldPlan(planWith(), PLAN_ID, [
      posting({ progress: 50, written_at: '2027-01-01T00:00:00.000Z' }),
    ])
    expect(plan?.last_update_at).toBe('2026-03-03T10:00:00.000Z')
  })

  it('acknowledged-update-falls-back-until-it-is-read', () => {
    const acknowledged = posting({ progress: 60 }, { state: 'acknowledged', answer: updateWith() })
    expect(foldPlan(planWith(), PLAN_ID, [acknowledged])?.progress).toBe(60)
  })

  it('acknowledged-update-overrides-what-came-after-it', () => {
    const acknowledged = posting({ progress: 60 }, { state: 'acknowledged', answer: updateWith() })
    const later = planWith({ progress: 80, version: 14 })
    expect(foldPlan(later, PLAN_ID, [acknowledged])).toBe(later)
  })

  it('refused-progress-is-shown-as-if-it-counted', () => {
    expect(
      foldPlan(planWith(), PLAN_ID, [posting({ progress: 60 }, { state: 'attention' })]),
    ).toEqual(planWith())
  })

  it('transition-that-the-rules-forbid-is-shown', () => {
    const planned = planWith({ status: 'planned' })
    expect(foldPlan(planned, PLAN_ID, [posting({ status: 'completed' })])?.status).toBe('planned')
  })

  it('completed-plan-stays-short-of-100', () => {
    const done = posting({ status: 'completed', outcome: 'achieved', body: 'All teams live.' })
    expect(foldPlan(planWith(), PLAN_ID, [done])).toMatchObject({
      status: 'completed',
      progress: 100,
      outcome: 'achieved',
      close_note: 'All teams live.',
    })
    const missed = posting({ status: 'completed', outcome: 'missed' })
    expect(foldPlan(planWith(), PLAN_ID, [missed])?.progress).toBe(40)
  })

  it('edit-clears-what-it-does-not-name', () => {
    const edit = operationWith({
      endpoint: 'updateSuccessPlan',
      input: { path: { id: PLAN_ID }, body: { title: 'Renamed', description: undefined } },
    })
    expect(foldPlan(planWith({ description: 'Kept' }), PLAN_ID, [edit])).toMatchObject({
      title: 'Renamed',
      description: 'Kept',
      progress: 40,
    })
  })

  it('operation-about-something-else-redraws-every-row', () => {
    const cached = [planWith()]
    expect(foldPlans(cached, [operationWith({ endpoint: 'updateUserinfo' })])).toBe(cached)
  })
})

describe('the feed', () => {
  it('pending-update-is-missing-from-the-feed', () => {
    const [entry] = foldUpdates(PLAN_ID, [], [posting({ body: 'From the train.' })])
    expect(entry?.update).toMatchObject({
      id: UPDATE_ID,
      body: 'From the train.',
      created_at: null,
    })
    expect(entry?.operation?.state).toBe('pending')
  })

  it('acknowledged-then-read-back-update-shows-twice', () => {
    const acknowledged = posting({}, { state: 'acknowledged', answer: updateWith() })
    const before = foldUpdates(PLAN_ID, [], [acknowledged])
    expect(before.map(({ update }) => update)).toEqual([updateWith()])
    const after = foldUpdates(PLAN_ID, [updateWith()], [acknowledged])
    expect(after).toEqual([{ update: updateWith(), operation: null }])
  })

  it('committed-but-unanswered-update-shows-as-unsent', () => {
    const unanswered = posting({}, { attempts: 1 })
    expect(foldUpdates(PLAN_ID, [updateWith()], [unanswered])).toEqual([
      { update: updateWith(), operation: null },
    ])
  })

  it('refused-update-loses-its-words', () => {
    const [entry] = foldUpdates(PLAN_ID, [], [posting({ body: 'Mine' }, { state: 'attention' })])
    expect(entry?.update.body).toBe('Mine')
    expect(entry?.operation?.state).toBe('attention')
  })

  it('edited-update-shows-beside-its-first-version', () => {
    // An edit gives the operation a new id; the update keeps its own.
    const feed = foldUpdates(PLAN_ID, [], [posting({ body: 'Second' }, { id: 'another' })])
    expect(feed.map(({ update }) => [update.id, update.body])).toEqual([[UPDATE_ID, 'Second']])
  })

  it('late-arrival-stands-above-what-was-written-after-it', () => {
    const newer = updateWith({ id: 'newer', written_at: '2026-03-04T10:00:00.000Z' })
    const feed = foldUpdates(PLAN_ID, [newer], [posting({})])
    expect(feed.map(({ update }) => update.id)).toEqual(['newer', UPDATE_ID])
  })

  it('update-of-another-plan-leaks-in', () => {
    expect(foldUpdates('another-plan', [], [posting({})])).toEqual([])
  })
})
