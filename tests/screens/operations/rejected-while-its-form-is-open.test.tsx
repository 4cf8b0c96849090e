// @vitest-environment jsdom
// An edit that was rejected while its form was open was replaced by the next save of that form: what it had set, and
// that it needs attention, was gone without a word.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { editRecord } from '../../../src/data/change-records.ts'
import { AccountForm } from '../../../src/features/accounts/account-form.tsx'
import { ActionDialog } from '../../../src/features/actions/action-dialog.tsx'
import { EditInitiative } from '../../../src/features/initiatives/initiative-dialog.tsx'
import { PlanForm } from '../../../src/features/success-plans/form/plan-form.tsx'
import { sync } from '../../../src/sync/client.ts'
import { emptyOutbox, openOffline, rejectOperation } from '../fixtures/offline-client.ts'
import { accountWith, actionWith, initiativeWith, planWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

const close = () => undefined
const plan = planWith({ type: 'project' })
const account = accountWith()
const initiative = initiativeWith()
const action = actionWith()

interface Case {
  /** Saves the first edit, which the server rejects later. */
  edit: () => Promise<string | undefined>
  first: object
  form: ReactNode
  /** The field that is changed after the rejection. */
  field: string
}

const CASES: Record<string, Case> = {
  plan: {
    edit: () => editRecord('success_plans', plan, { title: 'Renamed' }),
    first: { title: 'Renamed' },
    form: <PlanForm plan={{ ...plan, title: 'Renamed' }} onDone={close} onCancel={close} />,
    field: 'description',
  },
  account: {
    edit: () => editRecord('accounts', account, { name: 'Renamed' }),
    first: { name: 'Renamed' },
    form: <AccountForm account={{ ...account, name: 'Renamed' }} onDone={close} onCancel={close} />,
    field: 'notes',
  },
  initiative: {
    edit: () => editRecord('initiatives', initiative, { title: 'Renamed' }),
    first: { title: 'Renamed' },
    form: <EditInitiative initiative={{ ...initiative, title: 'Renamed' }} onClose={close} />,
    field: 'description',
  },
  action: {
    edit: () => editRecord('actions', action, { title: 'Renamed' }),
    first: { title: 'Renamed' },
    form: <ActionDialog action={{ ...action, title: 'Renamed' }} contacts={[]} onClose={close} />,
    field: 'description',
  },
}

const queued = () =>
  sync()
    .operations.get()
    .map(({ state, input }) => {
      const { id: _, ...body } = input.body as { id?: string }
      return { state, body }
    })

async function openForm(form: ReactNode) {
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>{form}</QueryClientProvider>
    </MemoryRouter>,
  )
  return await screen.findByDisplayValue('Renamed')
}

async function change(name: string, value: string) {
  fireEvent.change(document.querySelector(`[name=${name}]`)!, { target: { value } })
  await userEvent.click(document.querySelector('form [type=submit]')!)
}

test.each(Object.entries(CASES))(
  'an edit of a stored %s that is rejected while its form is open stays beside what is saved next',
  async (_, { edit, first, form, field }) => {
    const id = await edit()
    await openForm(form)
    await act(() => rejectOperation(id ?? ''))
    await waitFor(() => expect(queued()).toEqual([{ state: 'attention', body: first }]))
    await change(field, 'Later')
    await waitFor(() => expect(queued()).toHaveLength(2))
    expect(queued()).toEqual([
      { state: 'attention', body: first },
      { state: 'pending', body: { [field]: 'Later' } },
    ])
  },
)

test.each(Object.entries(CASES))(
  'an edit of a stored %s that was rejected before is replaced by its correction',
  async (_, { edit, first, form, field }) => {
    const id = await edit()
    await rejectOperation(id ?? '')
    const text = await openForm(form)
    fireEvent.change(text, { target: { value: 'Corrected' } })
    await change(field, 'Later')
    const corrected = { [Object.keys(first)[0] ?? '']: 'Corrected', [field]: 'Later' }
    await waitFor(() => expect(queued()).toEqual([{ state: 'pending', body: corrected }]))
  },
)
