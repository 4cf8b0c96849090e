// @vitest-environment jsdom
// The first plan of the onboarding starts today although its template is counted back from the end, has no title of
// its own account, and ends on a Sunday without a word.
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import { recordsQuery } from '../../../src/data/record-queries.ts'
import { PlanStep } from '../../../src/features/onboarding/plan-step.tsx'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

const RENEWAL = {
  ...blankRecords.templates,
  id: '01980000-0000-7000-8000-0000000000b1',
  title: 'Renewal',
  type: 'customer',
  duration_days: 120,
  version: 1,
  created_by: 'ann',
  created_at: null,
  updated_at: null,
}
const user = { id: 'ann', name: 'Ann' } as Parameters<typeof PlanStep>[0]['user']

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

test('is named after template and account, counted back from its end, and offers the next working day', async () => {
  queryClient.setQueryData(recordsQuery('templates').queryKey, [RENEWAL])
  queryClient.setQueryData(recordsQuery('accounts').queryKey, [
    accountWith({ name: 'Meridian Health' }),
  ])
  render(
    <MemoryRouter>
      <QueryProvider>
        <PlanStep user={user} onDone={() => undefined} />
      </QueryProvider>
    </MemoryRouter>,
  )
  await userEvent.selectOptions(await screen.findByLabelText(/^Template/), 'Renewal')
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('Renewal: Meridian Health')
  await userEvent.selectOptions(screen.getByLabelText(/^Account/), 'None: an internal project')
  expect(screen.getByLabelText<HTMLInputElement>(/^Title/).value).toBe('')
  await userEvent.selectOptions(screen.getByLabelText(/^Account/), 'Meridian Health')
  // A Sunday.
  fireEvent.change(screen.getByLabelText(/^End/), { target: { value: '2099-02-15' } })
  await userEvent.click(screen.getByRole('button', { name: /Feb 16/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Create plan' }))
  await expect
    .poll(() => sync().operations.get().at(-1)?.input.body)
    .toMatchObject({
      title: 'Renewal: Meridian Health',
      start_date: '2098-10-19',
      end_date: '2099-02-16',
    })
})
