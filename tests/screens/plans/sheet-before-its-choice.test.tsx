// @vitest-environment jsdom
// A tick on the print sheet, made before the remembered choice was read, replaced it.
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { printMessages as messages } from '../../../src/features/success-plans/plan-messages.ts'
import { PrintSheet } from '../../../src/features/success-plans/detail/print-sheet.tsx'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

const stored = vi.hoisted(() => Promise.withResolvers<[string[], string][]>())
vi.mock('../../../src/sync/react/drafts.ts', () => ({
  draftKey: (name: string) => [name],
  loadDrafts: async () => stored.promise,
  saveDraft: async () => true,
}))

beforeAll(openOffline)
afterEach(cleanup)

const isOff = (name: string) =>
  screen.getByRole('button', { name }).getAttribute('aria-disabled') === 'true'

test('what it shows can be chosen, saved and printed once the remembered choice is read', async () => {
  render(
    <QueryProvider>
      <MemoryRouter>
        <PrintSheet plan={planWith()} />
      </MemoryRouter>
    </QueryProvider>,
  )
  expect(screen.queryAllByRole('checkbox')).toEqual([])
  expect([isOff(messages.saveFile), isOff(messages.print)]).toEqual([true, true])
  await act(async () => stored.resolve([[['print'], JSON.stringify({ health: true })]]))
  const health = await screen.findByLabelText<HTMLInputElement>(messages.sections.health)
  expect(health.checked).toBe(true)
  expect(isOff(messages.print)).toBe(false)
})
