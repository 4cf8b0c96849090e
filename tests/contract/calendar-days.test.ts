// A day that does not exist is taken, or one that does is refused.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCalendarDay } from '../../contract/schemas/fields.ts'

/** As the runtime's own calendar has it. */
const isOfCalendar = (day: string) => {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
const numbers = (least: number, most: number, digits: number) =>
  fc.integer({ min: least, max: most }).map((one) => String(one).padStart(digits, '0'))

test('a day exists when the calendar has it', () => {
  const day = fc.tuple(numbers(1, 9_999, 4), numbers(0, 14, 2), numbers(0, 33, 2))
  fc.assert(
    fc.property(day, (parts) => {
      expect(isCalendarDay(parts.join('-'))).toBe(isOfCalendar(parts.join('-')))
    }),
    { numRuns: 5_000 },
  )
})

test.for(['1900-02-28', '2000-02-29', '2024-02-29', '0001-01-01', '9999-12-31'])(
  '%s exists',
  (day) => expect(isCalendarDay(day)).toBe(true),
)
test.for(['1900-02-29', '2023-02-29', '0000-01-01', '2026-04-31', '2026-3-1', '', 'x2026-03-01'])(
  '“%s” does not',
  (day) => expect(isCalendarDay(day)).toBe(false),
)
