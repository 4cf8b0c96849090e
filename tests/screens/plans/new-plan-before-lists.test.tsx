// @vitest-environment jsdom
// The address of a new plan named its template and its account, and was reloaded: the form opened before their lists
// were read, so that it had no title and the type of another template, which asked for an account.
import { act, cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import { editRecord } from '../../../src/data/change-records.ts'
import { recordsQuery } from '../../../src/data/record-queries.ts'
import { Component as NewPlan } from '../../../src/features/success-plans/form/new-screen.tsx'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

const TEMPLATE = {
  ...blankRecords.templates,
  id: 'rollout',
  title: 'Rollout',
  type: 'project',
  duration_days: 30,
  version: 1,
}
const ACCOUNT = accountWith()

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  queryClient.clear()
  await emptyOutbox()
})

/** Nothing is on the device; what is read of the server comes when the pull is over. */
function holdPull() {
  const { promise, resolve } = Promise.withResolvers<void>()
  vi.spyOn(sync(), 'pull').mockReturnValue(promise)
  return resolve
}

const open = (search: string) =>
  render(
    <MemoryRouter initialEntries={[`/success-plans/new${search}`]}>
      <QueryProvider>
        <NewPlan />
      </QueryProvider>
    </MemoryRouter>,
  )
const title = () => screen.queryByRole<HTMLInputElement>('textbox', { name: 'Title' })
const type = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Type' }).value
const drafts = () =>
  sync().store.transact(['drafts'], 'readonly', (tx) => tx.get('drafts', ['none']))

test('the form waits for the template and the account that the address names', async () => {
  holdPull()
  open('?template=rollout&account=account')
  await act(drafts)
  expect(title()).toBe(null)
  act(() => void queryClient.setQueryData(recordsQuery('templates').queryKey, [TEMPLATE]))
  expect(title()).toBe(null)
  act(() => void queryClient.setQueryData(recordsQuery('accounts').queryKey, [ACCOUNT]))
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' })).value).toBe(
    'Rollout: Northwind',
  )
  expect(type()).toBe('project')
})

test('the form waits for the edits of the account that are stored on the device', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const engine = await sync().ready()
  vi.spyOn(sync(), 'ready').mockResolvedValue({ ...engine, decided: started })
  queryClient.setQueryData(recordsQuery('templates').queryKey, [TEMPLATE])
  queryClient.setQueryData(recordsQuery('accounts').queryKey, [ACCOUNT])
  open('?template=rollout&account=account')
  await act(drafts)
  expect(title()).toBe(null)
  await act(async () => {
    await editRecord('accounts', ACCOUNT, { name: 'Southwind' })
    start()
    await started
  })
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' })).value).toBe(
    'Rollout: Southwind',
  )
})

test('the form opens without lists that cannot be read, and keeps open when they are read again', async () => {
  const end = holdPull()
  open('?template=rollout&account=account')
  await act(drafts)
  end()
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' })
  expect(field.value).toBe('')
  holdPull()
  act(() => void queryClient.refetchQueries())
  expect(title()).toBe(field)
})

test('the form waits for no list where the address names nothing', async () => {
  holdPull()
  open('')
  expect(await screen.findByRole('textbox', { name: 'Title' })).toBeTruthy()
})
