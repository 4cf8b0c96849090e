// @vitest-environment jsdom
// The dialog that cancels a plan asked why it is paused.
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { StatusDialog } from '../../../src/features/success-plans/updates/status-dialog.tsx'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(cleanup)

test.each([
  ['paused', 'Why is it paused?'],
  ['cancelled', 'Why is it cancelled?'],
] as const)('a plan that becomes %s asks %j', async (to, question) => {
  render(
    <QueryProvider>
      <StatusDialog plan={planWith()} to={to} name="Change" onClose={() => {}} />
    </QueryProvider>,
  )
  const hint = await screen.findByText(/^Why/)
  expect(hint.textContent).toBe(`${question} This is posted to the feed.`)
})
