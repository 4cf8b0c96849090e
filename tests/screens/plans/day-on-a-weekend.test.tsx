// @vitest-environment jsdom
// A day on a weekend is chosen without a word, where the forms of plans and actions offer the next working day.
import 'fake-indexeddb/auto'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { EndDialog } from '../../../src/widgets/editing/many/end-dialog.tsx'
import { DayField } from '../../../src/features/success-plans/review/day-field.tsx'
import { endAfter } from '../../../src/widgets/editing/many/record-change.ts'
import { createSync } from '../../../src/sync/client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const SATURDAY = '2031-03-08'
const MONDAY = '2031-03-10'
const offer = () => screen.getByRole('button', { name: /10 Mar|Mar 10/ })

beforeAll(() => createSync(() => Promise.reject(new Error('No engine.'))))
afterEach(cleanup)

test('a date in the review is saved once, on the working day that was offered', async () => {
  const handleMove = vi.fn()
  render(<DayField label="End" value="2031-03-03" onMove={handleMove} />)
  const field = screen.getByLabelText('End')
  await userEvent.click(field)
  fireEvent.change(field, { target: { value: SATURDAY } })
  await userEvent.click(offer())
  expect(handleMove.mock.calls).toEqual([[MONDAY]])
})

test('a date in the review is saved as it is when the field and the offer are left', async () => {
  const handleMove = vi.fn()
  render(<DayField label="End" value="2031-03-03" onMove={handleMove} />)
  const field = screen.getByLabelText('End')
  await userEvent.click(field)
  fireEvent.change(field, { target: { value: SATURDAY } })
  await userEvent.tab()
  expect(document.activeElement).toBe(offer())
  await userEvent.tab()
  expect(handleMove.mock.calls).toEqual([[SATURDAY]])
})

test('for a day that has passed no working day is offered', () => {
  render(<DayField label="End" value="2020-03-07" onMove={() => undefined} />)
  expect(screen.queryByRole('button')).toBe(null)
})

const countOf = (plans: number) => `${plans} plans`
const plans = [planWith({ end_date: '2031-03-01' }), planWith({ id: 'b', end_date: '2031-03-04' })]

test('ends that are moved onto a weekend move on to the next working day if asked for', async () => {
  const save = vi.fn().mockResolvedValue(undefined)
  render(<EndDialog records={plans} countOf={countOf} save={save} onClose={() => undefined} />)
  await userEvent.click(await screen.findByRole('radio', { name: 'Move each one' }))
  fireEvent.change(screen.getByLabelText('By'), { target: { value: '1' } })
  await userEvent.click(screen.getByRole('checkbox', { name: /^1 end is on a weekend/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Change 2 plans' }))
  const change = { kind: 'move', days: 7, skipsWeekends: true } as const
  expect(save).toHaveBeenCalledWith(change)
  expect(plans.map((plan) => endAfter(plan, change))).toEqual([MONDAY, '2031-03-11'])
})

test('one end for several plans can be the next working day', async () => {
  render(
    <EndDialog
      records={plans}
      countOf={countOf}
      save={async () => undefined}
      onClose={() => undefined}
    />,
  )
  fireEvent.change(await screen.findByLabelText('Day'), { target: { value: SATURDAY } })
  await userEvent.click(offer())
  expect(screen.getByLabelText('Day')).toHaveProperty('value', MONDAY)
})
