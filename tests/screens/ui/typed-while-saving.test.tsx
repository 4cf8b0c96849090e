// @vitest-environment jsdom
// The next update is typed, and posted, while the one before is still being saved.
import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { UpdateComposer } from '../../../src/features/success-plans/updates/update-composer.tsx'
import { sync } from '../../../src/sync/client.ts'
import { StorageFullError } from '../../../src/sync/core/ports.ts'
import { emptyOutbox, openOffline, rejectOperation } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

// On a desktop, where the composer is always open.
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
beforeAll(() => openOffline())
afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  await emptyOutbox()
})

const textbox = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Update' })
const open = () =>
  render(
    <MemoryRouter>
      <UpdateComposer plan={planWith()} />
    </MemoryRouter>,
  )

/** Saves wait until they are released, or fail. */
function holdSaves() {
  const enqueue = sync().enqueue.bind(sync())
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  vi.spyOn(sync(), 'enqueue').mockImplementation(async (...call) => {
    await promise
    return await enqueue(...call)
  })
  return { release: resolve, fail: reject }
}

async function post(text: string) {
  await userEvent.type(await textbox(), text)
  await userEvent.click(screen.getByRole('button', { name: 'Post update' }))
}

/** Posts a text at once, with timers that stand still. */
async function postAtOnce(text: string) {
  fireEvent.change(await textbox(), { target: { value: text } })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  fireEvent.click(screen.getByRole('button', { name: 'Post update' }))
}

/** Of the update; the first one is of the progress. */
const status = () => screen.getAllByRole('status').at(-1)
const valueNow = () => screen.getByRole<HTMLTextAreaElement>('textbox').value

const bodies = () =>
  sync()
    .operations.get()
    .map(({ input }) => (input.body as { body: string }).body)

test('posts both in order and keeps what is typed after them', async () => {
  open()
  const { release } = holdSaves()
  await post('First.')
  await post('Second.')
  await userEvent.type(await textbox(), 'Third, half')
  release()
  await waitFor(() => expect(bodies()).toEqual(['First.', 'Second.']))
  expect((await textbox()).value).toBe('Third, half')
  // It is a draft, though both saves have deleted theirs.
  cleanup()
  open()
  await waitFor(async () => expect((await textbox()).value).toBe('Third, half'))
  await userEvent.clear(await textbox())
})

test('an update that needs attention at once is not said to be saved', async () => {
  open()
  // The time for which “Saved” is shown does not pass.
  const { setTimeout } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) =>
    ms === 1_500 ? 0 : setTimeout(run, ms)) as typeof globalThis.setTimeout)
  await post('Refused.')
  await waitFor(() => expect(status()?.textContent).toBe('Saved on this device'))
  const [posted] = sync().operations.get()
  await act(async () => await rejectOperation(posted?.id ?? ''))
  await waitFor(() => expect(status()?.textContent).toBe('Needs attention'))
})

test('an update that could not be saved returns in front of what was typed meanwhile', async () => {
  open()
  const { fail } = holdSaves()
  await post('First.')
  await userEvent.type(await textbox(), 'Second, half')
  fail(new StorageFullError())
  await waitFor(async () => expect((await textbox()).value).toBe('First.\n\nSecond, half'))
  cleanup()
  open()
  await waitFor(async () => expect((await textbox()).value).toBe('First.\n\nSecond, half'))
  await userEvent.clear(await textbox())
})

test('the text leaves the form together with the word that it is saved', async () => {
  open()
  const { release } = holdSaves()
  await postAtOnce('First.')
  expect(valueNow()).toBe('First.')
  const saved = new Promise<string>((resolve) => {
    new MutationObserver(() => resolve(valueNow())).observe(status() ?? document, {
      childList: true,
    })
  })
  vi.useRealTimers()
  release()
  expect(await saved).toBe('')
  expect(status()?.textContent).toBe('Saved on this device')
})

test('a text that takes long to save leaves the form before', async () => {
  open()
  const { release } = holdSaves()
  await postAtOnce('First.')
  act(() => void vi.advanceTimersByTime(150))
  expect(valueNow()).toBe('')
  expect(status()?.textContent).toBe('Saving')
  vi.useRealTimers()
  release()
  await waitFor(() => expect(bodies()).toEqual(['First.']))
})

test('what is chosen while a text is saved belongs to the next update', async () => {
  open()
  const { release } = holdSaves()
  await postAtOnce('First.')
  fireEvent.change(screen.getByRole('combobox', { name: /Health/ }), {
    target: { value: 'at-risk' },
  })
  expect(valueNow()).toBe('')
  vi.useRealTimers()
  release()
  await waitFor(() => expect(bodies()).toEqual(['First.']))
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: /Health/ }).value).toBe('at-risk')
  fireEvent.change(screen.getByRole('combobox', { name: /Health/ }), { target: { value: '' } })
})

test('two presses post one update', async () => {
  open()
  const { release } = holdSaves()
  await postAtOnce('First.')
  fireEvent.click(screen.getByRole('button', { name: 'Post update' }))
  vi.useRealTimers()
  release()
  await screen.findByText('Saved on this device')
  expect(bodies()).toEqual(['First.'])
  expect(screen.queryByRole('alert')).toBe(null)
})
