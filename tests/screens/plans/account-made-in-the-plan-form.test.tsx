// @vitest-environment jsdom
// Creating an account in the form of a plan also submitted that form: React's events bubble out of a dialog to the form
// that renders it.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { PlanForm } from '../../../src/features/success-plans/form/plan-form.tsx'
import {
  newAccountMessages,
  planFormMessages as messages,
} from '../../../src/features/success-plans/plan-messages.ts'
import { sync } from '../../../src/sync/client.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(async () => {
  cleanup()
  await emptyOutbox()
})

test('an account that is created in the form of a plan is the account of that plan', async () => {
  const done = vi.fn()
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <PlanForm onDone={done} onCancel={() => undefined} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  const type = await screen.findByRole('combobox', { name: 'Type' })
  fireEvent.change(type, { target: { value: 'project' } })
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), 'Pilot')
  await userEvent.click(screen.getByRole('button', { name: messages.newAccount }))
  const name = await screen.findByRole('textbox', { name: newAccountMessages.name })
  await userEvent.type(name, 'Northwind{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null))
  await userEvent.click(screen.getByRole('button', { name: messages.create }))
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  const [account, plan, ...others] = sync().operations.get()
  expect(others).toEqual([])
  expect(account).toMatchObject({ endpoint: 'createAccount' })
  const { id } = account!.input.body as { id: string }
  expect(plan).toMatchObject({
    endpoint: 'createSuccessPlan',
    input: { body: { title: 'Pilot', account_id: id } },
  })
})
