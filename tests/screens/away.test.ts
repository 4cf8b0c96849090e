// @vitest-environment jsdom
// While you were away: what is told after a return, and that it is told once.
import { expect, it } from 'vitest'
import {
  changesSince,
  recordVisit,
  hasUnread,
  markPlanRead,
  dismiss,
  touchedPlans,
  unread,
  type Absence,
} from '../../src/features/away/away.ts'
import { PLAN_ID, planWith, updateWith } from './operations.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Noon, so that an hour more or less is the same day wherever this runs. */
const NOON = new Date(2026, 2, 3, 12).getTime()

const here = (version: number, at: number, before?: Absence) => recordVisit(before, { version, at })

it('a first start tells all of history as news', () => {
  expect(hasUnread(here(900, NOON))).toBe(false)
})

it('a short break counts as having been away', () => {
  const later = here(905, NOON + 20 * MINUTE, here(900, NOON))
  expect(hasUnread(later)).toBe(false)
  expect(later.from).toBe(905)
})

it('an hour or a night away is not noticed', () => {
  expect(here(905, NOON + 2 * HOUR, here(900, NOON))).toMatchObject({ from: 900, to: 905 })
  const lateEvening = new Date(2026, 2, 3, 23, 50).getTime()
  const nextDay = here(905, lateEvening + 20 * MINUTE, here(900, lateEvening))
  expect(nextDay).toMatchObject({ from: 900, to: 905 })
})

it('what happens while somebody reads the news joins it, or ends it', () => {
  const returned = here(905, NOON + 2 * HOUR, here(900, NOON))
  const reading = here(910, NOON + 2 * HOUR + MINUTE, returned)
  expect(reading).toMatchObject({ from: 900, to: 905 })
})

it('a second absence forgets what was never read', () => {
  const first = here(905, NOON + 2 * HOUR, here(900, NOON))
  expect(here(920, NOON + 5 * HOUR, first)).toMatchObject({ from: 900, to: 920 })
})

it('another database under the same address is taken for news', () => {
  expect(hasUnread(here(12, NOON + 9 * HOUR, here(900, NOON)))).toBe(false)
})

it('dismissed, it comes back', () => {
  const returned = here(905, NOON + 2 * HOUR, here(900, NOON))
  expect(hasUnread(dismiss(returned))).toBe(false)
})

const AWAY: Absence = { from: 10, to: 20, at: NOON, read: {} }
const byMia = { user_id: 'mia', version: 15 }

it('my own words are told to me', () => {
  expect(changesSince(planWith(), [updateWith({ user_id: 'ada', version: 15 })], 'ada', AWAY)).toBe(
    undefined,
  )
})

it('words from before or after the absence are told', () => {
  const updates = [updateWith({ ...byMia, version: 10 }), updateWith({ ...byMia, version: 21 })]
  expect(changesSince(planWith(), updates, 'ada', AWAY)).toBe(undefined)
})

it('a plan that I only posted in is not followed, or one that I never touched is', () => {
  const plan = planWith({ owner_id: 'jon' })
  const hers = updateWith({ ...byMia, id: 'hers' })
  const mineLongAgo = updateWith({ user_id: 'ada', version: 2, id: 'mine' })
  expect(changesSince(plan, [hers, mineLongAgo], 'ada', AWAY)?.updates).toBe(1)
  expect(changesSince(plan, [hers], 'ada', AWAY)).toBe(undefined)
})

it('several steps are told as the last one only', () => {
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

it('words alone invent a progress', () => {
  const said = updateWith({ ...byMia, progress_from: null, progress_to: null })
  expect(changesSince(planWith(), [said], 'ada', AWAY)).toMatchObject({
    progress: undefined,
    status: undefined,
    health: undefined,
  })
})

it('plans that did not move are looked through', () => {
  const moved = planWith({ id: 'moved', version: 18 })
  expect(touchedPlans([planWith({ version: 10 }), moved], AWAY)).toEqual([moved])
})

it('a plan that was opened is told again, or takes the others with it', () => {
  const change = changesSince(planWith(), [updateWith(byMia)], 'ada', AWAY)
  if (!change) throw new Error('There is something to tell.')
  const other = { ...change, plan_id: 'other' }
  const read = markPlanRead(AWAY, PLAN_ID)
  expect(unread([change, other], read)).toEqual([other])
  expect(markPlanRead(read, PLAN_ID)).toBe(read)
})

it('what comes after a plan was opened stays untold', () => {
  const change = changesSince(planWith(), [updateWith({ ...byMia, version: 25 })], 'ada', {
    from: 10,
    to: 30,
  })
  if (!change) throw new Error('There is something to tell.')
  expect(unread([change], { ...markPlanRead(AWAY, PLAN_ID), to: 30 })).toEqual([change])
})
