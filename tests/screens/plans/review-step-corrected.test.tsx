// @vitest-environment jsdom
// A change of a review that was rejected and corrected on the plan's page left the summary of the review, and one that
// was discarded after the rejection counted there as sent. An update that was corrected had its first words there.
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { editRecord } from '../../../src/data/change-records.ts'
import { postUpdate } from '../../../src/data/success-plans/post-update.ts'
import { useReviewRun } from '../../../src/features/success-plans/review/use-run.ts'
import {
  useCorrectedWords,
  useForgetDiscarded,
  useStepOperation,
} from '../../../src/features/success-plans/review/use-steps.ts'
import { sync } from '../../../src/sync/client.ts'
import { emptyOutbox, openOffline, rejectOperation } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const PLAN = planWith()

async function startReview() {
  const { result } = renderHook(() => {
    const review = useReviewRun()
    useForgetDiscarded(review.run, review.forget)
    useCorrectedWords(review.run, review.reword)
    return { ...review, operationOf: useStepOperation() }
  })
  await waitFor(() => expect(result.current.saved).not.toBe(undefined))
  act(() => result.current.start([PLAN.id]))
  return result
}

/** A review with one change of a plan, which was sent and rejected. */
async function reviewWithRejected() {
  const result = await startReview()
  const id = (await editRecord('success_plans', PLAN, { end_date: '2026-12-31' })) ?? ''
  act(() => result.current.recordMoved({ id, plan_id: PLAN.id, text: 'Ends Dec 31' }))
  const { outbox } = await sync().engine()
  await outbox.update(id, (one) => ({ ...one, attempts: 1 }))
  await act(() => rejectOperation(id))
  const rejected = sync().operations.get()[0]
  const step = () => result.current.run?.moved[0]
  return { id, rejected, step, operationOf: () => result.current.operationOf(step() ?? {}) }
}

/** Until what was stored before this has been looked up. */
const afterReading = () => act(async () => void (await sync().recentlySent()))

test('a change that was corrected stays in the summary, and is sent again', async () => {
  const { rejected, step, operationOf } = await reviewWithRejected()
  await act(() => editRecord('success_plans', PLAN, { end_date: '2026-12-30' }, { rejected }))
  await waitFor(() => expect(operationOf()?.input.body).toEqual({ end_date: '2026-12-30' }))
  await afterReading()
  expect(step()?.text).toBe('Ends Dec 31')
})

test('a change that was discarded after its rejection leaves the summary', async () => {
  const { id, step } = await reviewWithRejected()
  await act(() => sync().outbox.discard(id))
  await waitFor(() => expect(step()).toBe(undefined))
})

test('an update that is corrected elsewhere has its new words in the summary', async () => {
  const result = await startReview()
  const id = await postUpdate(PLAN, { body: 'They singed.' })
  act(() => result.current.recordPosted(PLAN.id, { id, body: 'They singed.' }))
  const [operation] = sync().operations.get()
  const body = { ...(operation!.input.body as object), body: 'They signed.' }
  await act(async () => void (await sync().outbox.edit(operation!.id, body)))
  await waitFor(() => expect(result.current.run?.posted[PLAN.id]?.[0]?.body).toBe('They signed.'))
})
