// @vitest-environment jsdom
// A day that was picked in the review was lost when the plan was left with the focus in its field, and so was the
// message that it could not be saved. One that is not valid was lost without a word when the review was left.
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter, Link, Route, Routes } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { Review } from '../../../src/features/success-plans/review/review.tsx'
import { reviewMessages as messages } from '../../../src/features/success-plans/review/messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { StorageFullError } from '../../../src/sync/core/ports.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { dismissToasts, Toaster } from '../../../src/ui/overlay/toast.tsx'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const DAY = '2031-03-10'
const TOO_EARLY = messages.dayTooEarly('2026-01-01')
const NOT_SAVED = messages.dayNotSaved(messages.endDate, TOO_EARLY)
const plans = ['First', 'Second'].map((title) =>
  planWith({ id: title, title, owner_id: 'ann', health: 'at-risk', end_date: '2031-03-03' }),
)

beforeAll(async () => {
  const media = { matches: true, addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', () => media)
  vi.stubGlobal('scrollTo', () => undefined)
  // jsdom has no popovers.
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  await openOffline()
  const replica = (await sync().engine()).activeReplica()
  await replica?.apply({ put: { success_plans: plans, actions: [] }, deleted: [] })
})

beforeEach(async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  window.history.replaceState(null, '', '/')
})
afterEach(async () => {
  vi.restoreAllMocks()
  cleanup()
  dismissToasts(NOT_SAVED)
  await act(emptyOutbox)
  queryClient.clear()
})

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const savedDays = () =>
  sync()
    .operations.get()
    .map(({ input }) => input.body)

/** Opens a review of both plans, and picks an end date for the first one. */
async function reviewFirst(): Promise<HTMLElement> {
  render(
    <BrowserRouter>
      <QueryProvider>
        <Toaster />
        <Routes>
          <Route path="/" element={<Link to="/review">Review</Link>} />
          <Route path="/review" element={<Review />} />
        </Routes>
      </QueryProvider>
    </BrowserRouter>,
  )
  await userEvent.click(screen.getByRole('link'))
  await userEvent.click(await button(messages.start(plans.length)))
  return await pickDay('First')
}

/** Picks an end date for the plan that is shown. Its field keeps the focus. */
async function pickDay(title: string): Promise<HTMLElement> {
  const heading = await screen.findByRole('heading', { name: title })
  const field = screen.getByLabelText(messages.endDate)
  field.focus()
  fireEvent.change(field, { target: { value: DAY } })
  return heading
}

/** A swipe, by that many pixels. jsdom has no lists of touches. */
function swipe(from: Element, across: number) {
  const touch = (type: string, clientX: number) => {
    const touches = Object.assign([0], { item: () => ({ clientX, clientY: 0 }) })
    fireEvent(
      from,
      Object.assign(new Event(type, { bubbles: true }), { touches, changedTouches: touches }),
    )
  }
  touch('touchstart', 0)
  touch('touchend', across)
}

test('a picked day is saved by a swipe to the next plan', async () => {
  swipe(await reviewFirst(), -120)
  await screen.findByRole('heading', { name: 'Second' })
  await waitFor(() => expect(savedDays()).toEqual([{ end_date: DAY }]))
})

const EARLY = '2025-12-31'
const badInput = (field: HTMLElement, isBad: boolean) =>
  Object.defineProperty(field, 'validity', {
    configurable: true,
    value: { badInput: isBad, valid: !isBad },
  })

test.each(['too early', 'half typed'])(
  'a day that is %s keeps the plan, by a swipe and by a button, until it is corrected',
  async (kind) => {
    const heading = await reviewFirst()
    const field = screen.getByLabelText(messages.endDate)
    const problem = kind === 'too early' ? TOO_EARLY : messages.badDay
    if (kind === 'too early') fireEvent.change(field, { target: { value: EARLY } })
    else badInput(field, true)
    swipe(heading, -120)
    await screen.findByText(problem)
    await userEvent.click(await button(messages.skip))
    screen.getByRole('heading', { name: 'First' })
    expect(document.activeElement).toBe(field)
    expect(savedDays()).toEqual([])
    if (kind === 'half typed') badInput(field, false)
    fireEvent.change(field, { target: { value: '2031-03-11' } })
    swipe(heading, -120)
    await screen.findByRole('heading', { name: 'Second' })
    await waitFor(() => expect(savedDays()).toEqual([{ end_date: '2031-03-11' }]))
  },
)

test('an update is posted beside a day that is too early, and the plan stays', async () => {
  await reviewFirst()
  fireEvent.change(screen.getByLabelText(messages.endDate), { target: { value: EARLY } })
  await userEvent.click(await button(messages.noChange('at-risk')))
  await waitFor(() => expect(savedDays()).toHaveLength(1))
  await screen.findByText(TOO_EARLY)
  screen.getByText(messages.alreadyPosted(messages.noChangeBody('at-risk')))
  screen.getByRole('heading', { name: 'First' })
})

test('a picked day is saved when the browser goes back', async () => {
  await reviewFirst()
  act(() => window.history.back())
  await screen.findByText('Review', { selector: 'a' })
  await waitFor(() => expect(savedDays()).toEqual([{ end_date: DAY }]))
})

test.each([
  ['the browser goes back', () => window.history.back()],
  [
    'the review is left by its link',
    () => screen.getByRole('link', { name: messages.leave }).click(),
  ],
])('that a day is too early is said when %s', async (_, leave) => {
  await reviewFirst()
  fireEvent.change(screen.getByLabelText(messages.endDate), { target: { value: EARLY } })
  act(() => screen.getByLabelText(messages.endDate).blur())
  act(leave)
  await screen.findByText(NOT_SAVED)
  expect(screen.queryByText('First')).toBe(null)
  expect(savedDays()).toEqual([])
})

test('the next plan and the summary say that a picked day could not be saved', async () => {
  await reviewFirst()
  vi.spyOn(sync(), 'enqueue').mockRejectedValue(new StorageFullError())
  const failureOf = (title: string) => messages.notSaved(messages.endMoved(DAY), title)
  await userEvent.click(await button(messages.skip))
  await pickDay('Second')
  await screen.findByText(failureOf('First'))
  await userEvent.click(await button(messages.finish))
  await screen.findByRole('heading', { name: messages.summaryTitle })
  await screen.findByText(failureOf('Second'))
  expect(screen.queryByText(failureOf('First'))).toBe(null)
})
