// @vitest-environment jsdom
// The print sheet dated an update “yesterday 14:05”, or with a time alone, and due dates without their year.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fullDay, fullMoment } from '../../../src/ui/text/dates.ts'
import { PrintSheet } from '../../../src/features/success-plans/detail/print-sheet.tsx'
import { planUpdatesQuery } from '../../../src/data/success-plans/queries.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { actionWith, planWith, updateWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(cleanup)

test('updates and due dates on the sheet have the day and the year', async () => {
  const plan = planWith()
  const written_at = new Date().toISOString()
  const due_date = `${new Date().getFullYear()}-06-01`
  const records = {
    actions: [actionWith({ success_plan_id: plan.id, initiative_id: null, due_date })],
    initiatives: [],
    organisation_users: [],
  }
  for (const [name, all] of Object.entries(records))
    queryClient.setQueryData(queryKeyOf(activeScope(), 'collection', name), all)
  queryClient.setQueryData(planUpdatesQuery(plan.id).queryKey, [
    updateWith({ success_plan_id: plan.id, body: 'They signed.', written_at }),
  ])
  render(
    <QueryProvider>
      <MemoryRouter>
        <PrintSheet plan={plan} />
      </MemoryRouter>
    </QueryProvider>,
  )
  await userEvent.click(await screen.findByRole('checkbox', { name: /They signed/ }))
  const update = await screen.findByText('They signed.')
  expect(update.closest('section')?.textContent).toContain(fullMoment(written_at))
  await screen.findByText(new RegExp(`Due ${fullDay(due_date)}$`))
})
