// @vitest-environment jsdom
// A server whose plans have neither `type` nor `account_id`: the form asked for an account on every save, also where it
// no longer offered the field.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { PlanForm } from '../../../src/features/success-plans/form/plan-form.tsx'
import { planFormMessages as messages } from '../../../src/features/success-plans/plan-messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

// The engine would set what it has read itself.
const keepAllBut = (...success_plans: string[]) =>
  vi
    .spyOn(sync().readReport, 'get')
    .mockReturnValue({ unread: [], refused: {}, notKept: { success_plans } })

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  await emptyOutbox()
})

const open = async (plan?: SuccessPlan) => {
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <PlanForm {...(plan && { plan })} onDone={() => undefined} onCancel={() => undefined} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  const title = await screen.findByRole('textbox', { name: 'Title' })
  await userEvent.clear(title)
  await userEvent.type(title, 'Pilot')
}
const save = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const sent = async () => {
  await waitFor(() => expect(sync().operations.get()).toHaveLength(1))
  return sync().operations.get()[0]?.input.body
}
const plan = planWith({ id: 'p1', title: 'Rollout', type: 'customer', account_id: null })

test('an edit of another field asks for no account that the plan has never had', async () => {
  await open(plan)
  await save(messages.save)
  expect(await sent()).toEqual({ title: 'Pilot' })
})

test('a plan that becomes one of a customer needs an account', async () => {
  await open({ ...plan, type: 'project' })
  fireEvent.change(screen.getByRole('combobox', { name: 'Type' }), {
    target: { value: 'customer' },
  })
  await save(messages.save)
  expect((await screen.findByRole('alert')).textContent).toContain('Account')
  expect(sync().operations.get()).toEqual([])
})

test.each([[['account_id']], [['type']], [['type', 'account_id']]])(
  'a new plan needs no account at a server that does not keep %j',
  async (names) => {
    keepAllBut(...names)
    await open()
    const offersAccounts = screen.queryByRole('button', { name: messages.newAccount }) !== null
    expect(offersAccounts).toBe(!names.includes('account_id'))
    await save(messages.create)
    expect(await sent()).toMatchObject({ title: 'Pilot' })
  },
)

test('a new plan of a customer needs an account elsewhere', async () => {
  await open()
  await save(messages.create)
  expect((await screen.findByRole('alert')).textContent).toContain('Account')
  expect(sync().operations.get()).toEqual([])
})
