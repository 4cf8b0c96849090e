// @vitest-environment jsdom
// A change of a saved view that was discarded in the sync centre stayed on the device until the server was asked again.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startInstalledApp } from '../../../src/app/boot/installed-app.ts'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { tableMessages as messages } from '../../../src/widgets/table/messages.ts'
import { ViewsPanel } from '../../../src/widgets/table/views-panel.tsx'
import { waitFor } from '../../wait-for.ts'
import { ANN, openOffline } from '../fixtures/offline-client.ts'
import { press } from '../fixtures/press.ts'

beforeAll(async () => {
  startInstalledApp(await openOffline(), ANN.user.id)
  sync().capabilities.set('views')
})

const open = () =>
  render(
    <MemoryRouter>
      <QueryProvider>
        <ViewsPanel list="plans" search="health=at-risk" />
      </QueryProvider>
    </MemoryRouter>,
  )

/** The last change that waits in the outbox. */
const waiting = () =>
  sync()
    .operations.get()
    .findLast(({ state }) => state === 'pending')

const discardLast = async () => {
  await waitFor(() => expect(waiting()).toBeDefined())
  await act(() => sync().outbox.discard(waiting()?.id ?? ''))
}

/** The server has taken the change, and a pull has followed. */
async function sendLast(): Promise<void> {
  await waitFor(() => expect(waiting()).toBeDefined())
  const engine = await sync().engine()
  await engine.outbox.acknowledge(waiting()?.id ?? '', {})
  await act(() => engine.outboxChanged())
  await engine.outbox.prune(await engine.outbox.fence(), () => true)
  await act(() => engine.outboxChanged())
  expect(sync().operations.get()).toEqual([])
}

beforeEach(() => void open())
afterEach(cleanup)

test('a discarded change is undone in the list, and one that was sent stays', async () => {
  await userEvent.type(await screen.findByRole('textbox', { name: messages.name }), 'Q4')
  await press(messages.save)
  await screen.findByText('Q4')
  await discardLast()
  await waitFor(() => expect(screen.queryByText('Q4')).toBe(null))

  await userEvent.type(screen.getByRole('textbox', { name: messages.name }), 'Risks')
  await press(messages.save)
  await screen.findByText('Risks')
  await sendLast()
  await press(messages.rename('Risks'))
  await userEvent.type(screen.getByRole('textbox', { name: messages.rename('Risks') }), ' now')
  await press(messages.saveName)
  await screen.findByText('Risks now')
  await discardLast()
  await screen.findByText('Risks')

  await press(messages.remove('Risks'))
  await waitFor(() => expect(screen.queryByText('Risks')).toBe(null))
  cleanup()
  await discardLast()
  open()
  await screen.findByText('Risks')
  await press(messages.remove('Risks'))
  await sendLast()
  cleanup()
  open()
  await screen.findByText(messages.noViews)
})
