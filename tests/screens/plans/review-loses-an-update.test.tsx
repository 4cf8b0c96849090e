// @vitest-environment jsdom
// Of two updates on one plan the review knew only the second, and a reload of its summary lost all of it.
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { useReviewRun } from '../../../src/features/success-plans/review/use-run.ts'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** The review of a page that was just opened, with the run that an earlier page left. */
async function open() {
  const { result } = renderHook(useReviewRun)
  await waitFor(() => expect(result.current.saved).not.toBe(undefined))
  return result
}
type Review = Awaited<ReturnType<typeof open>>
const posted = ({ current: { run, saved } }: Review) =>
  Object.values((run ?? saved)?.posted ?? {})
    .flat()
    .map(({ id }) => id)

/** A review of one plan that was posted on twice. */
async function postTwice() {
  const review = await open()
  act(() => review.current.start(['plan']))
  for (const id of ['first', 'second']) {
    act(() => review.current.back())
    act(() => review.current.recordPosted('plan', { id, body: id, quick: true }))
  }
  return review
}

test('keeps both updates of a plan, and after an undo of the second the first', async () => {
  const review = await postTwice()
  expect(posted(review)).toEqual(['first', 'second'])
  act(() => review.current.forget(['second'], 'plan'))
  expect(posted(review)).toEqual(['first'])
})

test('keeps the summary over a reload, on the day of the review', async () => {
  await postTwice()
  cleanup()
  await waitFor(async () => expect(posted(await open())).toEqual(['first', 'second']))
  cleanup()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 })
  expect((await open()).current.saved).toBe(null)
})
