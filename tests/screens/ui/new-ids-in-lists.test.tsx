// @vitest-environment jsdom
// At a server that makes ids, the pane beside a list closed when its record got its id, its row was not selected any
// more, and what was typed there was stored twice.
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { useCurrentIds } from '../../../src/data/record-id.ts'
import { PlanPreview } from '../../../src/features/success-plans/list/table/plan-preview.tsx'
import { updateMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { useOpened } from '../../../src/ui/list/use-preview.ts'
import { useSelectedRows } from '../../../src/ui/list/use-selected-rows.ts'
import { giveId } from '../fixtures/give-id.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'
import { storedTexts } from '../fixtures/stored-texts.ts'
import { waitFor } from '../../wait-for.ts'

const [FIRST, SECOND] = [
  '01980000-0000-7000-8000-00000000000a',
  '01980000-0000-7000-8000-00000000000b',
]

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener() {},
    removeEventListener() {},
  }))
  // jsdom has no popovers.
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  await openOffline()
})
afterEach(cleanup)

function Pane({ id }: { id: string }) {
  const { preview, opened, close } = useOpened([planWith({ id })], useCurrentIds())
  return (
    <>
      <output>{preview?.id}</output>
      {opened && <PlanPreview plan={opened} today="2026-03-10" now={0} onClose={close} />}
    </>
  )
}
const inApp = (children: ReactNode) => (
  <MemoryRouter initialEntries={[`/success-plans?open=${FIRST}`]}>
    <QueryProvider>{children}</QueryProvider>
  </MemoryRouter>
)

test('the pane stays open with what is typed there, which is stored once', async () => {
  const { rerender, container } = render(inApp(<Pane id={FIRST} />))
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', {
    name: updateMessages.label,
  })
  await userEvent.type(field, 'They signed')
  await giveId('success_plans', FIRST, '21')
  rerender(inApp(<Pane id="21" />))
  expect(await screen.findByDisplayValue('They signed')).toBe(field)
  expect(document.activeElement).toBe(field)
  await userEvent.type(field, ' today')
  await waitFor(async () =>
    expect(await storedTexts('update:21')).toEqual([
      expect.stringContaining('"They signed today"'),
    ]),
  )
  // The row that is marked, and that Space closes.
  expect(container.querySelector('output')?.textContent).toBe('21')
})

test('a row stays selected, as a part of its range, and can be dropped', async () => {
  const bar = { current: null }
  const { result, rerender } = renderHook(
    ({ order }) =>
      useSelectedRows({ order, idNow: useCurrentIds(), bar, onDone: () => undefined }).rows,
    { initialProps: { order: ['a', SECOND, 'b', 'c'] } },
  )
  act(() => result.current.toggle(SECOND, false))
  await giveId('success_plans', SECOND, '22')
  rerender({ order: ['a', '22', 'b', 'c'] })
  expect([...result.current.selected]).toEqual(['22'])
  act(() => result.current.toggle('c', true))
  expect([...result.current.selected]).toEqual(['22', 'b', 'c'])
  act(() => result.current.toggle('22', false))
  expect([...result.current.selected]).toEqual(['b', 'c'])
})
