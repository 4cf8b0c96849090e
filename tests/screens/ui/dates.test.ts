import { afterEach, expect, it } from 'vitest'
import { ago, fullDay, moment, monthDay, shortDay } from '../../../src/ui/text/dates.ts'

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

it('shows a calendar day unchanged in every time zone', () => {
  for (const place of [
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'Europe/Paris',
    'America/Sao_Paulo',
  ]) {
    process.env.TZ = place
    const now = Date.parse('2026-07-01T12:00:00Z')
    expect(shortDay('2026-03-01', now)).toBe('Mar 1')
    expect(shortDay('2027-03-01', now)).toBe('Mar 1, 2027')
    expect(monthDay('2027-03-01')).toBe('Mar 1')
    expect(fullDay('2018-11-04')).toBe('Nov 4, 2018')
  }
})

it('shows the day beside a time that is not today', () => {
  process.env.TZ = 'Europe/Paris'
  const now = Date.parse('2026-03-10T12:00:00Z')
  expect(moment('2026-03-10T09:12:00Z', now)).toBe('10:12')
  expect(moment('2026-03-09T22:59:00Z', now)).toBe('yesterday 23:59')
  expect(moment('2026-03-03T09:12:00Z', now)).toBe('Mar 3, 10:12')
  expect(moment('2025-03-03T09:12:00Z', now)).toBe('Mar 3, 2025, 10:12')
})

it('counts days by the calendar of the device from one day on', () => {
  process.env.TZ = 'Europe/Paris'
  const now = Date.parse('2026-03-11T07:00:00Z')
  const days = (instant: string) => ago(instant, now)
  expect(days('2026-03-10T08:00:00Z')).toBe('23 hours ago')
  expect(days('2026-03-10T06:59:00Z')).toBe('yesterday')
  expect(days('2026-03-09T23:00:00Z')).toBe('yesterday')
  expect(days('2026-03-09T22:59:00Z')).toBe('2 days ago')
  expect(days('2026-03-09T00:00:00Z')).toBe('2 days ago')
  expect(days('2026-02-26T12:00:00Z')).toBe('13 days ago')
  expect(days('2026-02-25T12:00:00Z')).toBe('2 weeks ago')
})
