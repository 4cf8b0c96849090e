// @vitest-environment jsdom
// The form of a new plan had one draft: what was typed on the page of one customer was in the plan of the next, and a
// draft in which a customer or a template was chosen replaced the one that the address named.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import { recordsQuery } from '../../../src/data/record-queries.ts'
import { Component as NewPlan } from '../../../src/features/success-plans/form/new-screen.tsx'
import { TypedTexts } from '../../../src/widgets/screen-states/typed-texts.tsx'
import { sync } from '../../../src/sync/client.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { waitFor } from '../../wait-for.ts'
import { giveId } from '../fixtures/give-id.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { accountWith } from '../fixtures/record-fixtures.ts'

const templateWith = (id: string) => ({ ...blankRecords.templates, id, title: id, version: 1 })
const LOCAL = '01980000-0000-7000-8000-0000000000c1'

beforeAll(async () => {
  await openOffline()
  sync().capabilities.set('ids,keys,templates')
})
afterEach(async () => {
  cleanup()
  queryClient.clear()
  await sync().store.transact(['drafts'], 'readwrite', async (tx) => {
    for (const key of await tx.keys('drafts', ['ann'])) tx.delete('drafts', key)
  })
})

/** Opens the form at an address; the result leads to another one as a link does. */
function open(search: string) {
  const accounts = [
    accountWith({ id: 'acme', name: 'Acme' }),
    accountWith({ id: 'globex', name: 'Globex' }),
    accountWith({ id: LOCAL, name: 'Initech' }),
    accountWith({ id: 'initech', name: 'Initech' }),
  ]
  const templates = [templateWith('rollout'), templateWith('recovery')]
  const setList = (key: readonly unknown[], list: object[]) => queryClient.setQueryData(key, list)
  setList(recordsQuery('accounts').queryKey, accounts)
  setList(recordsQuery('templates').queryKey, templates)
  const path = '/success-plans/new'
  const router = createMemoryRouter([{ path, Component: NewPlan }], {
    initialEntries: [path + search],
  })
  render(
    <QueryProvider>
      <RouterProvider router={router} />
    </QueryProvider>,
  )
  return async (next: string) => await act(async () => await router.navigate(path + next))
}
const field = (role: 'textbox' | 'combobox', name: RegExp | string) =>
  screen.findByRole<HTMLInputElement>(role, { name })
const title = () => field('textbox', 'Title')
const put = async (control: Promise<HTMLElement>, value: string) =>
  fireEvent.change(await control, { target: { value } })
const shown = async () => ({
  title: (await title()).value,
  account: (await field('combobox', /^Account/)).value,
  template: (await field('combobox', /^Template/)).value,
})
const isRestored = () => screen.queryByText(/restored/i) !== null
/** Leaves the form, and opens it at another address once its draft is stored. */
async function reopen(search: string) {
  cleanup()
  await sync().store.transact(['drafts'], 'readwrite', async () => undefined)
  return open(search)
}

test('what was typed for one customer is not in the plan of another, and is there again for the first', async () => {
  open('?account=acme')
  await put(title(), 'Win Acme back')
  await reopen('?account=globex&end=2027-03-31')
  expect(await shown()).toMatchObject({ title: '', account: 'globex' })
  await reopen('')
  expect(await shown()).toMatchObject({ title: '', account: '' })
  await reopen('?account=acme')
  expect(await shown()).toMatchObject({ title: 'Win Acme back', account: 'acme' })
  expect(isRestored()).toBe(true)
  // The renewal has moved meanwhile.
  for (const end of ['2027-03-31', '2027-06-30']) {
    await reopen(`?account=acme&end=${end}`)
    expect(await shown()).toMatchObject({ title: 'Win Acme back', account: 'acme' })
  }
})

test('a customer and a template that were chosen do not replace those that an address names', async () => {
  open('')
  await put(title(), 'Half a thought')
  await put(field('combobox', /^Account/), 'acme')
  await put(field('combobox', /^Template/), 'rollout')
  await reopen('?account=globex&end=2027-03-31')
  expect(await shown()).toMatchObject({ account: 'globex', template: '' })
  await reopen('?template=recovery')
  expect(await shown()).toMatchObject({ title: '', account: '', template: 'recovery' })
  await reopen('')
  expect(await shown()).toMatchObject({ account: 'acme', template: 'rollout' })
})

test('an open form starts anew when its address names another customer', async () => {
  const go = open('?account=acme')
  await put(title(), 'Win Acme back')
  await go('?account=globex')
  expect(await shown()).toMatchObject({ title: '', account: 'globex' })
  await go('')
  expect(await shown()).toMatchObject({ title: '', account: '' })
  await go('?account=acme')
  await waitFor(async () => expect((await title()).value).toBe('Win Acme back'))
})

test('the draft of a customer that was made on this device is found by both of its ids', async () => {
  open(`?account=${LOCAL}`)
  await put(title(), 'Start with Initech')
  await reopen('')
  await giveId('accounts', LOCAL, 'initech')
  for (const id of ['initech', LOCAL]) {
    await reopen(`?account=${id}`)
    expect((await shown()).title).toBe('Start with Initech')
  }
})

test.each(['acme', 'rollout'])(
  'the texts about %s, once it is deleted, include that of its plan',
  async (id) => {
    open('?account=acme&template=rollout')
    await put(title(), 'Win Acme back')
    await reopen('')
    render(<TypedTexts id={id} />)
    expect(await screen.findByText('Win Acme back')).toBeTruthy()
  },
)
