// @vitest-environment jsdom
// A form is saved in several steps, and another tab opens another organisation between them: the record was made
// there, and the draft was deleted.
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { savePlan } from '../../../src/features/import/save-plan.ts'
import { useImportQueue } from '../../../src/features/import/use-import-queue.ts'
import { PlanForm } from '../../../src/features/success-plans/form/plan-form.tsx'
import { UpdateComposer } from '../../../src/features/success-plans/updates/update-composer.tsx'
import { STARTERS } from '../../../src/features/templates/starters.ts'
import { recordsQuery } from '../../../src/data/record-queries.ts'
import { changeMany } from '../../../src/widgets/editing/many/change-many.ts'
import { sync } from '../../../src/sync/client.ts'
import { draftKey } from '../../../src/sync/react/drafts.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { loadDrafts } from '../../../src/sync/react/drafts.ts'
import { ANN, emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

// The user of the fixture has no role, and no network.
vi.mock('../../../src/features/templates/use-write-blocker.ts', () => ({
  useWriteBlocker: () => undefined,
}))
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))

const open = (id: string) => sync().chooseOrganisation({ ...ANN.active_organisation, id })
/** The texts of that name in the organisation of the forms, which is not open any more. */
const draftOf = async (name: string) =>
  String((await loadDrafts(['ann', 'north', name])).map(([, text]) => text))
const places = () =>
  sync()
    .operations.get()
    .map((one) => [one.endpoint, one.organisation_id])

beforeAll(openOffline)
beforeEach(() => open('north'))
afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  queryClient.clear()
  await emptyOutbox()
})

test('a plan from a starter that is still being added is not created elsewhere, and its draft stays', async () => {
  sync().capabilities.set('ids,keys,templates')
  queryClient.setQueryData(recordsQuery('templates').queryKey, [])
  queryClient.setQueryData(recordsQuery('accounts').queryKey, [])
  const { promise: added, resolve: add } = Promise.withResolvers<void>()
  vi.spyOn(sync(), 'pull').mockResolvedValue()
  const call = vi.spyOn(sync(), 'call').mockReturnValue(added)
  const [starter] = STARTERS
  const done = vi.fn()
  render(
    <MemoryRouter>
      <QueryProvider>
        <PlanForm template_id={starter?.id ?? ''} onDone={done} onCancel={() => undefined} />
      </QueryProvider>
    </MemoryRouter>,
  )
  await userEvent.type(await screen.findByRole('textbox', { name: 'Title' }), 'Roll out alerts')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'project')
  await userEvent.click(screen.getByRole('button', { name: 'Create plan' }))
  await waitFor(() => expect(call).toHaveBeenCalled())
  await open('south')
  add()
  expect(await screen.findByText(/This could not be saved/)).toBeTruthy()
  expect([places(), done.mock.calls.length]).toEqual([[], 0])
  expect(await draftOf(`new-plan::${starter?.id}`)).toContain('Roll out alerts')
})

test('an update that waits for the one before is not posted elsewhere, and stays a draft', async () => {
  render(
    <MemoryRouter>
      <UpdateComposer plan={planWith()} />
    </MemoryRouter>,
  )
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const enqueue = sync().enqueue.bind(sync())
  vi.spyOn(sync(), 'enqueue').mockImplementationOnce(async (...one) => {
    const saved = await enqueue(...one)
    await held
    return saved
  })
  for (const text of ['First.', 'Second.']) {
    const textbox = await screen.findByRole('textbox', { name: 'Update' })
    await userEvent.type(textbox, text)
    await userEvent.click(screen.getByRole('button', { name: 'Post update' }))
  }
  await waitFor(() => expect(places()).toHaveLength(1))
  await open('south')
  release()
  await waitFor(async () => expect(await draftOf(`update:${planWith().id}`)).toContain('Second.'))
  await screen.findByText(/not be saved/)
  expect(places()).toEqual([['postPlanUpdate', 'north']])
})

test('many records are not changed elsewhere', async () => {
  const draft = draftKey('review')
  await open('south')
  const saved = changeMany([], { changed: '', countOf: String, draft })
  await expect(saved).rejects.toThrow()
})

test('an imported plan is stored with its updates, or not at all', async () => {
  const plan = { title: 'Roll out alerts', type: 'project', updates: [{ status: 'paused' }] }
  const save = () => savePlan(plan as Parameters<typeof savePlan>[0])
  const ready = sync().ready.bind(sync())
  vi.spyOn(sync(), 'ready').mockImplementationOnce(async () => {
    await open('south')
    return await ready()
  })
  await expect(save()).rejects.toThrow()
  expect(places()).toEqual([])
  await save()
  expect(places()).toEqual([
    ['createSuccessPlan', 'south'],
    ['postPlanUpdate', 'south'],
  ])
})

test('an import that goes on row by row ends with the organisation it was begun in', async () => {
  const saved: string[] = []
  function Import() {
    const { start, progress } = useImportQueue(async (row: string) => {
      saved.push(row)
      await open('south')
      return row
    })
    return (
      <button type="button" onClick={() => void start(['first', 'second'])}>
        {progress?.error ?? 'Import'}
      </button>
    )
  }
  render(<Import />)
  fireEvent.click(screen.getByRole('button'))
  await screen.findByText(/Stopped/)
  expect(saved).toEqual(['first'])
})
