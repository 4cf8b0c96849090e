// @vitest-environment jsdom
// While you were away: what is shown after a return, and that it is shown once.
import { expect, it } from 'vitest'
import { changesSince, touchedPlans, unread } from '../../../src/features/away/away-changes.ts'
import {
  recordVisit,
  hasUnread,
  markPlanRead,
  dismiss,
  type Absence,
} from '../../../src/features/away/away.ts'
import { PLAN_ID, planWith, updateWith } from '../fixtures/record-fixtures.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Noon, so that an hour more or less is the same day in every time zone of a test machine. */
const NOON = new Date(2026, 2, 3, 12).getTime()

const visit = (version: number, at: number, before?: Absence) =>
  recordVisit(before, { version, at })

it('has nothing to show on the first start of a device', () => {
  expect(hasUnread(visit(900, NOON))).toBe(false)
})

it('ignores a break of twenty minutes', () => {
  const later = visit(905, NOON + 20 * MINUTE, visit(900, NOON))
  expect(hasUnread(later)).toBe(false)
  expect(later.from).toBe(905)
})

it('counts an hour, or a night, as an absence', () => {
  expect(visit(905, NOON + 2 * HOUR, visit(900, NOON))).toMatchObject({ from: 900, to: 905 })
  const lateEvening = new Date(2026, 2, 3, 23, 50).getTime()
  const nextDay = visit(905, lateEvening + 20 * MINUTE, visit(900, lateEvening))
  expect(nextDay).toMatchObject({ from: 900, to: 905 })
})

it('leaves out changes that arrive while the summary is open', () => {
  const returned = visit(905, NOON + 2 * HOUR, visit(900, NOON))
  const reading = visit(910, NOON + 2 * HOUR + MINUTE, returned)
  expect(reading).toMatchObject({ from: 900, to: 905 })
})

it('extends the period when a second absence follows an unread one', () => {
  const first = visit(905, NOON + 2 * HOUR, visit(900, NOON))
  expect(visit(920, NOON + 5 * HOUR, first)).toMatchObject({ from: 900, to: 920 })
})

it('shows nothing when the server’s version went backwards', () => {
  expect(hasUnread(visit(12, NOON + 9 * HOUR, visit(900, NOON)))).toBe(false)
})

it('stays closed once dismissed', () => {
  const returned = visit(905, NOON + 2 * HOUR, visit(900, NOON))
  expect(hasUnread(dismiss(returned))).toBe(false)
})

const AWAY: Absence = { from: 10, to: 20, at: NOON, read: {} }
const byMia = { user_id: 'mia', version: 15 }

it('leaves out the user’s own updates', () => {
  expect(changesSince(planWith(), [updateWith({ user_id: 'ada', version: 15 })], 'ada', AWAY)).toBe(
    undefined,
  )
})

it('leaves out updates from before or after the absence', () => {
  const updates = [updateWith({ ...byMia, version: 10 }), updateWith({ ...byMia, version: 21 })]
  expect(changesSince(planWith(), updates, 'ada', AWAY)).toBe(undefined)
})

it('follows plans that the user owns or has posted in, and no others', () => {
  const plan = planWith({ owner_id: 'jon' })
  const byMiaUpdate = updateWith({ ...byMia, id: 'hers' })
  const mineLongAgo = updateWith({ user_id: 'ada', version: 2, id: 'mine' })
  expect(changesSince(plan, [byMiaUpdate, mineLongAgo], 'ada', AWAY)?.updates).toBe(1)
  expect(changesSince(plan, [byMiaUpdate], 'ada', AWAY)).toBe(undefined)
})

it('sums up several updates from the first value to the last', () => {
  const updates = [
    updateWith({
      ...byMia,
      version: 12,
      progress_from: 40,
      progress_to: 50,
      status_from: 'planned',
      status_to: 'in-progress',
      health: 'on-track',
      body: 'We begin.',
    }),
    updateWith({
      user_id: 'jon',
      version: 14,
      progress_from: 50,
      progress_to: 75,
      status_from: 'in-progress',
      status_to: 'paused',
      health: 'at-risk',
      body: '',
    }),
  ]
  expect(changesSince(planWith(), updates, 'ada', AWAY)).toMatchObject({
    authors: ['jon', 'mia'],
    updates: 2,
    body: 'We begin.',
    progress: { from: 40, to: 75 },
    status: { from: 'planned', to: 'paused' },
    health: 'at-risk',
    version: 14,
  })
})

it('reports no progress for updates with text alone', () => {
  const textOnly = updateWith({ ...byMia, progress_from: null, progress_to: null })
  expect(changesSince(planWith(), [textOnly], 'ada', AWAY)).toMatchObject({
    progress: undefined,
    status: undefined,
    health: undefined,
  })
})

it('looks only at plans that changed during the absence', () => {
  const moved = planWith({ id: 'moved', version: 18 })
  expect(touchedPlans([planWith({ version: 10 }), moved], AWAY)).toEqual([moved])
})

it('marks an opened plan as read and keeps the others unread', () => {
  const change = changesSince(planWith(), [updateWith(byMia)], 'ada', AWAY)
  if (!change) throw new Error('There is something to tell.')
  const other = { ...change, plan_id: 'other' }
  const read = markPlanRead(AWAY, PLAN_ID)
  expect(unread([change, other], read)).toEqual([other])
  expect(markPlanRead(read, PLAN_ID)).toBe(read)
})

it('keeps an update unread that arrived after its plan was opened', () => {
  const change = changesSince(planWith(), [updateWith({ ...byMia, version: 25 })], 'ada', {
    from: 10,
    to: 30,
  })
  if (!change) throw new Error('There is something to tell.')
  expect(unread([change], { ...markPlanRead(AWAY, PLAN_ID), to: 30 })).toEqual([change])
})
