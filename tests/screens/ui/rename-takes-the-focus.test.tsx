// @vitest-environment jsdom
// While a view was being renamed, its field took the focus from the field for the name of a new view at each key.
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { queryClient } from '../../../src/sync/react/query-client.ts'
import { tableMessages as messages } from '../../../src/widgets/table/messages.ts'
import { ViewsPanel } from '../../../src/widgets/table/views-panel.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(openOffline)
afterEach(cleanup)

const fieldNamed = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('a view can be named while another one is being renamed', async () => {
  render(
    <MemoryRouter>
      <QueryClientProvider client={queryClient}>
        <ViewsPanel list="plans" search="health=at-risk" />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  await userEvent.type(await fieldNamed(messages.name), 'Mine')
  await press(messages.save)
  await userEvent.click(await screen.findByRole('button', { name: messages.rename('Mine') }))
  const renamed = await fieldNamed(messages.rename('Mine'))
  expect(document.activeElement).toBe(renamed)
  const added = await fieldNamed(messages.name)
  await userEvent.click(added)
  await userEvent.keyboard('Late')
  expect([added.value, renamed.value]).toEqual(['Late', 'Mine'])
})
