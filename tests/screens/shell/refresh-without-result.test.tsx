// @vitest-environment jsdom
// The line below a heading says that the data is up to date while the server cannot be read, and its button says
// nothing.
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createSync, sync } from '../../../src/sync/client.ts'
import { dismissToasts, Toaster } from '../../../src/ui/overlay/toast.tsx'
import { AnswerAge } from '../../../src/widgets/screen-states/answer-age.tsx'
import { DataAge } from '../../../src/widgets/screen-states/data-age.tsx'
import { refreshMessages as messages } from '../../../src/widgets/screen-states/no-data-messages.ts'

const report = (refused: Record<string, number>) =>
  sync().readReport.set({ unread: [], refused, notKept: {} })

beforeAll(() => createSync(() => Promise.reject(new Error('No engine.'))))
beforeEach(() => {
  sync().lastSyncedAt.set(Date.now() - 60_000)
  sync().connection.set('online')
  report({})
})
afterEach(() => {
  cleanup()
  Object.values(messages).forEach(dismissToasts)
})

test('while the server does not answer as agreed, it says so and as of when the data is', () => {
  render(<DataAge />)
  screen.getByText(/^Up to date · synced/)
  act(() => sync().connection.set('not-understood'))
  screen.getByText(/^Server problem · as of \d/)
  expect(screen.queryByText(/up to date/i)).toBe(null)
})

test.each<[string, () => void, string]>([
  ['a complete pull', () => sync().lastSyncedAt.set(Date.now()), messages.done],
  ['a pull that failed', () => {}, messages.failed],
  ['no answer', () => sync().connection.set('offline'), messages.stillOffline],
  [
    'an answer that is not as agreed',
    () => {
      sync().lastSyncedAt.set(Date.now())
      sync().connection.set('not-understood')
    },
    messages.failed,
  ],
  [
    'a pull without what the screen shows',
    () => {
      sync().lastSyncedAt.set(Date.now())
      report({ accounts: 403 })
    },
    messages.failed,
  ],
])('a refresh that ends with %s says what became of it', async (_, pulled, words) => {
  vi.spyOn(sync(), 'syncNow').mockImplementation(() => {
    act(pulled)
    return Promise.resolve(undefined)
  })
  render(
    <>
      <DataAge shows={{ collection: 'accounts' }} />
      <Toaster />
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByText(words)).toBeTruthy()
})

const answer = (isSuccess: boolean) => ({
  dataUpdatedAt: Date.now(),
  isError: !isSuccess,
  refetch: () => Promise.resolve({ isSuccess }),
})

test.each([
  ['that is answered', true, messages.done],
  ['that fails', false, messages.failed],
])('a refresh of an answer %s says so', async (_, isAnswered, words) => {
  vi.spyOn(sync(), 'syncNow').mockResolvedValue(undefined)
  render(
    <>
      <AnswerAge query={answer(isAnswered)} />
      <Toaster />
    </>,
  )
  screen.getByText(isAnswered ? /^Up to date · synced/ : /^Not up to date/)
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(await screen.findByText(words)).toBeTruthy()
})
