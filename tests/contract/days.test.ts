import { expect, test } from 'vitest'
import { addDays, isWeekend, nextWorkday } from '../../contract/schemas/days.ts'

test('days are added over months, leap days and the change to summer time', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2027-02-28', 1)).toBe('2027-03-01')
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30')
  expect(addDays('2027-01-01', -1)).toBe('2026-12-31')
})

test('a Saturday and a Sunday move to Monday, also over the end of a year', () => {
  const week = ['2027-01-01', '2027-01-02', '2027-01-03', '2027-01-04']
  expect(week.map(isWeekend)).toEqual([false, true, true, false])
  expect(week.map(nextWorkday)).toEqual(['2027-01-01', '2027-01-04', '2027-01-04', '2027-01-04'])
})

test('a text that is no day is on no weekend', () => {
  expect(isWeekend('')).toBe(false)
  expect(nextWorkday('')).toBe('')
})
