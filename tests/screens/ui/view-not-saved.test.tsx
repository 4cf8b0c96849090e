// @vitest-environment jsdom
// On a full device the name typed for a view was gone, and nothing said that the view was not saved.
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Replica } from '../../../src/sync/core/replica.ts'
import { StorageFullError } from '../../../src/sync/core/ports.ts'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { Toaster } from '../../../src/ui/overlay/toast.tsx'
import { tableMessages as messages } from '../../../src/widgets/table/messages.ts'
import { ViewsPanel } from '../../../src/widgets/table/views-panel.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const open = () =>
  render(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <ViewsPanel list="plans" search="health=at-risk" />
        <Toaster />
      </QueryClientProvider>
    </MemoryRouter>,
  )
const fail = () => vi.spyOn(Replica.prototype, 'setValue').mockRejectedValue(new StorageFullError())
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('a view that cannot be saved or renamed keeps the typed name, and the reason is said', async () => {
  open()
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: messages.name })
  const full = fail()
  await userEvent.type(field, 'Q4')
  await press(messages.save)
  expect(await screen.findByText(messages.notStored)).toBeTruthy()
  expect(field.value).toBe('Q4')
  full.mockRestore()
  await press(messages.save)
  await userEvent.click(await screen.findByRole('button', { name: messages.rename('Q4') }))
  fail()
  const renamed = screen.getByRole<HTMLInputElement>('textbox', { name: messages.rename('Q4') })
  await userEvent.type(renamed, ' EMEA')
  await press(messages.saveName)
  expect(await screen.findByDisplayValue('Q4 EMEA')).toBeTruthy()
})
