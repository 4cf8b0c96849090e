// What happened in the evening in Los Angeles was dated tomorrow, and what happened in the morning in Tokyo yesterday.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fieldValue } from '../../../src/data/operations/field-labels.ts'
import { accountPageMessages } from '../../../src/features/accounts/messages.ts'
import { billingMessages } from '../../../src/features/billing/messages.ts'
import { inviteMessages } from '../../../src/features/members/messages.ts'
import { outcomeMessages } from '../../../src/features/renewals/messages.ts'
import {
  evenPace,
  progressHistory,
} from '../../../src/features/success-plans/detail/progress-history.ts'
import { chartMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const zone = process.env.TZ
beforeEach(
  () => void vi.useFakeTimers({ now: Date.parse('2026-11-30T12:00:00Z'), toFake: ['Date'] }),
)
afterEach(() => {
  vi.useRealTimers()
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const PLACES = [
  ['America/Los_Angeles', '2026-11-29T01:00:00Z'],
  ['Asia/Tokyo', '2026-11-27T22:00:00Z'],
] as const

test.each(PLACES)('in %s the instant %s is of November 28', (place, at) => {
  process.env.TZ = place
  const ms = Date.parse(at)
  const shown = [
    accountPageMessages.healthSince('On track', ms),
    accountPageMessages.instant(ms),
    chartMessages.moment(ms),
    outcomeMessages.recorded('Ann', at),
    outcomeMessages.recorded('Ann', new Date(ms).toUTCString()),
    inviteMessages.until(at),
    billingMessages.until(at),
    fieldValue('completed_at', at, () => undefined),
  ]
  expect(shown).toEqual([
    'On track since Nov 28, 2026',
    'Nov 28, 2026',
    'Nov 28, 2026',
    'Ann, Nov 28, 2026',
    'Ann, Nov 28, 2026',
    'Valid until Nov 28',
    'Until Nov 28, 2026',
    'Nov 28, 2026',
  ])
})

test.each(PLACES)('in %s a chart begins and ends on the days of the plan', (place) => {
  process.env.TZ = place
  const plan = planWith({ start_date: '2026-03-01', end_date: '2026-06-30' })
  const [first] = progressHistory(plan, [], [], Date.now())
  const pace = evenPace(plan)
  const days = [first?.at, pace?.from, pace?.to].map((at) => chartMessages.moment(at ?? 0))
  expect(days).toEqual(['Mar 1, 2026', 'Mar 1, 2026', 'Jun 30, 2026'])
})

test('a day without a time is the same day in every zone', () => {
  process.env.TZ = 'America/Los_Angeles'
  expect(billingMessages.until('2026-11-28')).toBe('Until Nov 28, 2026')
})
