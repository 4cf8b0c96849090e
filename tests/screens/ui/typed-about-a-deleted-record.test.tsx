// @vitest-environment jsdom
// A colleague deletes a record while one types in its forms: they are replaced by the word that it does not exist, and
// what was typed stays on the device, out of reach. While a list was not read to its end, what was typed about its
// other records was offered to be discarded as that of deleted ones.
import { act, cleanup, fireEvent, render, renderHook, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import { useInitiatives } from '../../../src/data/initiatives.ts'
import { oneRecordQuery, recordsQuery } from '../../../src/data/record-queries.ts'
import { actionMessages } from '../../../src/features/actions/messages.ts'
import { Component as AccountDetails } from '../../../src/features/accounts/detail/detail-screen.tsx'
import { Component as PlanDetails } from '../../../src/features/success-plans/detail/detail-screen.tsx'
import { Component as Initiatives } from '../../../src/features/initiatives/list-screen.tsx'
import { transitionMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { StatusDialog } from '../../../src/features/success-plans/updates/status-dialog.tsx'
import { Component as Templates } from '../../../src/features/templates/list-screen.tsx'
import { templateMessages } from '../../../src/features/templates/messages.ts'
import { reviewMessages } from '../../../src/features/success-plans/review/messages.ts'
import { Review } from '../../../src/features/success-plans/review/review.tsx'
import { UpdateComposer } from '../../../src/features/success-plans/updates/update-composer.tsx'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { storedTexts } from '../fixtures/stored-texts.ts'
import { accountWith, actionWith, initiativeWith, planWith } from '../fixtures/record-fixtures.ts'

// The user of the fixture has no role, and no network.
vi.mock('../../../src/features/templates/use-write-blocker.ts', () => ({
  useWriteBlocker: () => undefined,
}))
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
const PLAN = planWith()
const ACCOUNT = accountWith()
const TEMPLATE = { ...blankRecords.templates, id: 'rollout', title: 'Rollout', version: 1 }

beforeAll(async () => {
  // jsdom has no popovers.
  Object.assign(HTMLElement.prototype, { showPopover() {}, hidePopover() {} })
  await openOffline()
  sync().capabilities.set('ids,keys,templates')
  readLists()
  // The dialog's lazy part. Compiling it can take longer than a test waits for it.
  await import('../../../src/ui/overlay/dialog-sheet.tsx')
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  readLists()
})

/** All lists were read, or all but a part of one. */
function readLists(...partial: string[]) {
  const report = { unread: [], refused: {}, notKept: {}, partial }
  // The engine, which has no network, publishes its own state when its start goes on.
  vi.spyOn(sync().readReport, 'get').mockReturnValue(report)
  act(() => sync().readReport.set(report))
}

const open = (address: string) =>
  render(
    <MemoryRouter initialEntries={[address]}>
      <QueryProvider>
        <Routes>
          <Route path="/success-plans/:id" element={<PlanDetails />} />
          <Route path="/accounts/:id" element={<AccountDetails />} />
          <Route path="/initiatives" element={<Initiatives />} />
          <Route path="/templates" element={<Templates />} />
        </Routes>
      </QueryProvider>
    </MemoryRouter>,
  )
function show(resource: 'success_plans' | 'accounts', record: { id: string }, is: boolean) {
  const key: readonly unknown[] = oneRecordQuery(resource, record.id).queryKey
  queryClient.setQueryData(key, is ? record : null)
}
const type = async (label: RegExp, value: string) =>
  fireEvent.change(await screen.findByRole('textbox', { name: label }), { target: { value } })
const afterReading = () =>
  act(() => sync().store.transact(['drafts'], 'readonly', (tx) => tx.keys('drafts', ['none'])))
const copied = async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const user = userEvent.setup()
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => resolve(text))
  await user.click(await screen.findByRole('button', { name: 'Copy' }))
  return await promise
}

test('the page of a deleted plan shows what was typed in its form, and of its update', async () => {
  show('success_plans', PLAN, true)
  render(
    <MemoryRouter>
      <UpdateComposer plan={PLAN} />
    </MemoryRouter>,
  )
  await type(/^Update/, 'They want to\nstart in May.')
  cleanup()
  open(`/success-plans/${PLAN.id}?edit`)
  await type(/^Description/, 'Ten lines.')
  act(() => show('success_plans', PLAN, false))
  await screen.findByRole('heading', { name: 'This plan does not exist', level: 2 })
  const text = await copied()
  expect(text).toContain('Ten lines.')
  expect(text).toContain('They want to\nstart in May.')
})

/** Chooses an outcome of a plan, with a note, and opens its page once it is deleted. */
async function completeDeleted(id: string, note: string) {
  const plan = planWith({ id })
  render(<StatusDialog plan={plan} to="completed" name="Complete" onClose={() => {}} />)
  const { missed } = transitionMessages.outcomes
  fireEvent.click(await screen.findByRole('radio', { name: missed }))
  if (note !== '') await type(/^Note/, note)
  cleanup()
  show('success_plans', plan, false)
  open(`/success-plans/${id}`)
  await screen.findByRole('heading', { name: 'This plan does not exist', level: 2 })
}

test('the page of a deleted plan shows the note of its outcome, without the word it is stored as', async () => {
  await completeDeleted('completed', 'The budget was cut.')
  expect(await copied()).toBe('The budget was cut.')
})

test('the page of a deleted plan shows nothing of an outcome that was only chosen', async () => {
  await completeDeleted('chosen', '')
  await afterReading()
  expect(screen.queryByRole('button', { name: 'Copy' })).toBe(null)
})

test('the page of a deleted plan shows nothing that was typed about one whose id contains its own', async () => {
  for (const id of ['21', '1']) {
    render(
      <MemoryRouter>
        <UpdateComposer plan={planWith({ id })} />
      </MemoryRouter>,
    )
    await type(/^Update/, `About plan ${id}.`)
    cleanup()
  }
  show('success_plans', planWith({ id: '1' }), false)
  open('/success-plans/1')
  expect(await copied()).toBe('About plan 1.')
})

test('the page of a deleted account shows what was typed in its form', async () => {
  show('accounts', ACCOUNT, true)
  open(`/accounts/${ACCOUNT.id}?edit`)
  await type(/^Name/, 'Northwind Traders')
  act(() => show('accounts', ACCOUNT, false))
  await screen.findByRole('heading', { name: 'This account does not exist', level: 2 })
  expect(await copied()).toBe('Northwind Traders')
})

test('the list of templates shows what was typed in the form of a deleted one', async () => {
  queryClient.setQueryData(recordsQuery('templates').queryKey, [TEMPLATE])
  open('/templates?edit=rollout')
  await type(/^Title/, 'Rollout in May')
  act(() => void queryClient.setQueryData(recordsQuery('templates').queryKey, []))
  expect(await copied()).toBe('Rollout in May')
})

const setAll = (name: 'initiatives' | 'actions', all: readonly object[]) =>
  act(() => {
    const key: readonly unknown[] = recordsQuery(name).queryKey
    queryClient.setQueryData(key, all)
  })

/** Opens the work of the plan, types in the form that `openForm` opens. */
async function edit(openForm: () => Promise<void>, title: string) {
  show('success_plans', PLAN, true)
  setAll('initiatives', [initiativeWith({ id: 'training' })])
  setAll('actions', [actionWith({ id: 'invitation', initiative_id: 'training' })])
  open(`/success-plans/${PLAN.id}?show=initiatives`)
  await openForm()
  await type(/^Title/, title)
}

test('the page of a plan shows what was typed about a deleted action, until it is discarded', async () => {
  const openForm = async () => {
    const name = actionMessages.open('Invite the trainers')
    await userEvent.click(await screen.findByRole('button', { name }))
  }
  await edit(openForm, 'Invite all of them')
  setAll('actions', [])
  expect(await copied()).toBe('Invite all of them')
  // The page is of something else, and only this says what it was about.
  expect(screen.getByText(/^What you typed about an initiative or action/)).toBeTruthy()
  cleanup()
  open('/success-plans/other?show=initiatives')
  show('success_plans', planWith({ id: 'other' }), true)
  await screen.findByRole('heading', { name: 'Initiatives', hidden: true })
  await afterReading()
  expect(screen.queryByText('Invite all of them')).toBe(null)
  cleanup()
  open(`/success-plans/${PLAN.id}?show=initiatives`)
  const notice = (await screen.findByText('Invite all of them')).parentElement?.parentElement
  await userEvent.click(within(notice as HTMLElement).getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(screen.queryByText('Invite all of them')).toBe(null))
  expect(await storedTexts('action:invitation')).toEqual([])
})

test('what was typed about a deleted initiative is on the page of its plan and in the list', async () => {
  const openForm = async () => {
    const card = within(await screen.findByRole('article', { name: 'Train the trainers' }))
    await userEvent.click(card.getByRole('menuitem', { name: 'Edit', hidden: true }))
  }
  await edit(openForm, 'Train everyone')
  setAll('initiatives', [])
  expect(await copied()).toBe('Train everyone')
  cleanup()
  open('/initiatives')
  expect(await copied()).toBe('Train everyone')
})

test('the page of a plan that nothing was typed about says only that it does not exist', async () => {
  show('success_plans', planWith({ id: 'other' }), false)
  open('/success-plans/other')
  await screen.findByRole('heading', { name: 'This plan does not exist', level: 2 })
  await afterReading()
  expect(screen.queryByRole('button', { name: 'Copy' })).toBe(null)
})

test.each(['initiatives', 'actions'])(
  'while %s are still arriving no typed text is taken for that of a deleted one',
  (name) => {
    readLists(name)
    setAll('initiatives', [initiativeWith({ id: 'training' })])
    setAll('actions', [])
    const { result } = renderHook(() => useInitiatives().work, { wrapper: QueryProvider })
    expect(result.current?.initiatives).toHaveLength(1)
    expect(result.current?.ids).toBe(undefined)
    readLists()
    expect(result.current?.ids).toEqual(new Set(['training']))
  },
)

test('a template that may still arrive is not said to be deleted', async () => {
  queryClient.setQueryData(recordsQuery('templates').queryKey, [TEMPLATE])
  open('/templates?edit=rollout')
  await type(/^Title/, 'Rollout in June')
  readLists('templates')
  void act(() =>
    queryClient.setQueryData(recordsQuery('templates').queryKey, [{ ...TEMPLATE, id: 'other' }]),
  )
  await screen.findByText(templateMessages.loading)
  await afterReading()
  expect(screen.queryByText(templateMessages.missingTitle)).toBe(null)
  expect(screen.queryByRole('button', { name: 'Discard' })).toBe(null)
  readLists()
  await screen.findByText(templateMessages.missingTitle)
  expect(await copied()).toBe('Rollout in June')
})

test('a plan of a review that may still arrive is not said to be deleted', async () => {
  vi.stubGlobal('scrollTo', () => undefined)
  const setPlans = (...plans: object[]) => {
    const key: readonly unknown[] = recordsQuery('success_plans').queryKey
    queryClient.setQueryData(key, plans)
  }
  setPlans(planWith({ id: 'late', health: 'at-risk' }))
  render(
    <MemoryRouter>
      <QueryProvider>
        <Review />
      </QueryProvider>
    </MemoryRouter>,
  )
  await userEvent.click(await screen.findByRole('button', { name: reviewMessages.start(1) }))
  readLists('success_plans')
  act(() => setPlans())
  await screen.findByText(reviewMessages.loading)
  expect(screen.queryByText(reviewMessages.deleted)).toBe(null)
  readLists()
  await screen.findByText(reviewMessages.deleted)
})
