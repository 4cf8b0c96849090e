// @vitest-environment jsdom
// What is typed over a waiting update is lost when the update is sent meanwhile, and its card shows no text; so is what
// is typed while it is saved. What another tab has saved is replaced unseen.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useMemo, type ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { SyncPanel } from '../../../src/app/sync-centre/sync-panel.tsx'
import { Cards } from '../../../src/features/success-plans/updates/update-feed.tsx'
import { UpdateCard } from '../../../src/features/success-plans/updates/update-card.tsx'
import { updateMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { sync } from '../../../src/sync/client.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { draftKey, saveDraft } from '../../../src/sync/react/drafts.ts'
import { useOperations } from '../../../src/sync/react/use-sync.ts'
import { storedTexts } from '../fixtures/stored-texts.ts'
import { emptyOutbox, openOffline } from '../fixtures/offline-client.ts'
import { PLAN_ID, UPDATE_ID, posting, updateWith } from '../fixtures/record-fixtures.ts'

beforeAll(openOffline)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const queries = new QueryClient()
const within = (screens: ReactNode) => (
  <MemoryRouter>
    <QueryClientProvider client={queries}>{screens}</QueryClientProvider>
  </MemoryRouter>
)
const drafts = new Set<string>()
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const field = () => screen.getByRole<HTMLTextAreaElement>('textbox')

async function type(text: string) {
  await click(updateMessages.edit)
  const typed = await screen.findByRole('textbox')
  await userEvent.clear(typed)
  await userEvent.type(typed, text)
}

/** The text can be copied, and is no longer offered to be saved. */
function expectTooLate(text: string) {
  expect(field().value).toBe(text)
  expect(document.activeElement).toBe(field())
  expect(screen.getByText(updateMessages.editTooLate)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: updateMessages.save })).toBe(null)
}

test('text typed over an update stays when the update is sent, and the card shows what was sent', async () => {
  const update = updateWith({ body: 'Budget confirmed.' })
  const operation = posting({ body: update.body })
  const card = (now: Operation | null) =>
    within(<UpdateCard entry={{ update, operation: now }} author="Ada" drafts={drafts} />)
  const { rerender } = render(card(operation))
  await type('Budget denied.')
  expect(screen.queryByText(update.body)).toBe(null)
  for (const now of [{ ...operation, attempts: 1 }, null]) {
    rerender(card(now))
    expectTooLate('Budget denied.')
    expect(screen.getByText(update.body)).toBeTruthy()
  }
  await click(updateMessages.discardText)
  expect(screen.queryByRole('textbox')).toBe(null)
  expect(screen.getByText(update.body)).toBeTruthy()
})

test('text typed over an update can be saved again when the server rejects the update', async () => {
  const update = updateWith({ body: 'Budget confirmed.' })
  const operation = posting({ body: update.body })
  const card = (now: Operation) =>
    within(<UpdateCard entry={{ update, operation: now }} author="Ada" drafts={drafts} />)
  const { rerender } = render(card(operation))
  await type('Budget denied.')
  rerender(card({ ...operation, attempts: 1 }))
  rerender(card({ ...operation, attempts: 1, state: 'attention' }))
  expect(field().value).toBe('Budget denied.')
  expect(screen.getByRole('button', { name: updateMessages.saveAndResend })).toBeTruthy()
})

test('a text saved a moment too late stays in its form', async () => {
  const operation = posting({ body: 'Budget confirmed.' })
  render(
    within(<UpdateCard entry={{ update: updateWith(), operation }} author="Ada" drafts={drafts} />),
  )
  await type('Budget denied.')
  vi.spyOn(sync().outbox, 'edit').mockResolvedValue(undefined)
  await click(updateMessages.save)
  await waitFor(() => expectTooLate('Budget denied.'))
})

test('text typed in the sync centre stays when the update is sent', async () => {
  const { id } = await sync().enqueue(endpoints.postPlanUpdate, {
    path: { id: PLAN_ID },
    body: { id: crypto.randomUUID(), body: 'Budget confirmed.' },
  })
  render(within(<SyncPanel onClose={() => undefined} />))
  await screen.findByText('Budget confirmed.')
  await type('Budget denied.')
  await act(async () => sync().outbox.discard(id))
  await waitFor(() => expectTooLate('Budget denied.'))
  await click(updateMessages.discardText)
  await waitFor(() => expect(screen.queryByRole('textbox')).toBe(null))
})

/** A card of the update as it waits in the outbox. */
function Waiting() {
  const [operation] = useOperations()
  if (!operation) return null
  const { body } = operation.input.body as { body: string }
  return (
    <UpdateCard entry={{ update: updateWith({ body }), operation }} author="Ada" drafts={drafts} />
  )
}

async function enqueueUpdate() {
  await sync().enqueue(endpoints.postPlanUpdate, {
    path: { id: PLAN_ID },
    body: { id: crypto.randomUUID(), body: 'Budget confirmed.' },
  })
  onTestFinished(emptyOutbox)
}

const SCREENS: Record<string, ReactNode> = {
  'on its card': <Waiting />,
  'in the sync centre': <SyncPanel onClose={() => undefined} />,
}
const stored = () =>
  sync()
    .operations.get()
    .map(({ input }) => input.body as { id: string; body: string })

test.each(Object.entries(SCREENS))(
  'what is typed while an update is saved %s stays in the form, and is saved next',
  async (_, shown) => {
    await enqueueUpdate()
    render(within(shown))
    await screen.findByText('Budget confirmed.')
    await type('Budget denied.')
    const edit = sync().outbox.edit
    const saving = Promise.withResolvers<void>()
    vi.spyOn(sync().outbox, 'edit').mockImplementationOnce(async (...call) => {
      await saving.promise
      return await edit(...call)
    })
    await click(updateMessages.save)
    await userEvent.type(field(), ' For now.')
    saving.resolve()
    await waitFor(() => expect(stored()).toMatchObject([{ body: 'Budget denied.' }]))
    const [{ id } = { id: '' }] = stored()
    await waitFor(async () =>
      expect(String(await storedTexts(`edit-update:${PLAN_ID}:${id}`))).toContain('For now.'),
    )
    expect(field().value).toBe('Budget denied. For now.')
    await click(updateMessages.save)
    await waitFor(() => expect(screen.queryByRole('textbox')).toBe(null))
    expect(stored()).toMatchObject([{ body: 'Budget denied. For now.' }])
  },
)

test.each(Object.entries(SCREENS))(
  'a text that another tab has saved meanwhile is shown %s, and not replaced',
  async (_, shown) => {
    await enqueueUpdate()
    render(within(shown))
    await screen.findByText('Budget confirmed.')
    await type('Budget denied.')
    const [opened] = sync().operations.get()
    const body = { ...(opened?.input.body as object), body: 'From another tab.' }
    await act(async () => sync().outbox.edit(opened?.id ?? '', body))
    await screen.findByText('From another tab.')
    await click(updateMessages.save)
    await waitFor(() => expectTooLate('Budget denied.'))
    expect(stored()).toMatchObject([{ body: 'From another tab.' }])
  },
)

/** The updates of the plan: the one that waits, or has been sent. */
function Feed() {
  const [operation = null] = useOperations()
  const feed = useMemo(() => {
    const body = { id: UPDATE_ID, ...(operation?.input.body as object) }
    return [{ update: updateWith(body), operation }]
  }, [operation])
  return <Cards feed={feed} />
}

async function typeAndLeave() {
  await sync().enqueue(endpoints.postPlanUpdate, {
    path: { id: PLAN_ID },
    body: { id: UPDATE_ID, body: 'Budget confirmed.' },
  })
  onTestFinished(emptyOutbox)
  const { unmount } = render(within(<Feed />))
  await screen.findByText('Budget confirmed.')
  await type('Budget denied.')
  unmount()
}

test('a text that was typed and not saved is on the card of the update that was sent, to be copied', async () => {
  await typeAndLeave()
  render(within(<Feed />))
  await screen.findByText('Budget confirmed.')
  await act(emptyOutbox)
  expect(await screen.findByText('Budget denied.')).toBeTruthy()
  screen.getByText(updateMessages.editTooLate)
  screen.getByRole('button', { name: 'Copy' })
  await click(updateMessages.discardText)
  expect(screen.queryByText('Budget denied.')).toBe(null)
  cleanup()
  render(within(<Feed />))
  await waitFor(async () =>
    expect(await storedTexts(`edit-update:${PLAN_ID}:${UPDATE_ID}`)).toEqual([]),
  )
  expect(screen.queryByText('Budget denied.')).toBe(null)
})

test.each(['on its card', 'in the sync centre', 'on the card of the update that was sent'])(
  'a text that an earlier version has stored under the id of the operation is shown %s',
  async (place) => {
    await sync().enqueue(endpoints.postPlanUpdate, {
      path: { id: PLAN_ID },
      body: { id: UPDATE_ID, body: 'Budget confirmed.' },
    })
    onTestFinished(emptyOutbox)
    const [{ id } = { id: '' }] = sync().operations.get()
    const earlier = draftKey(`edit-update:${id}`) ?? []
    await saveDraft(earlier, 'Budget denied.')
    if (place.endsWith('sent')) {
      const engine = await sync().engine()
      await engine.outbox.acknowledge(id, {})
      await engine.outbox.prune(await engine.outbox.fence(), () => true)
      await engine.outboxChanged()
    }
    render(within(SCREENS[place] ?? <Feed />))
    await screen.findByText('Budget confirmed.')
    await waitFor(async () => expect(await storedTexts(`edit-update:${id}`)).toEqual([]))
    if (place.endsWith('sent')) {
      await screen.findByText('Budget denied.')
      await click(updateMessages.discardText)
      return
    }
    await click(updateMessages.edit)
    await waitFor(() => expect(field().value).toBe('Budget denied.'))
    await click(updateMessages.cancel)
  },
)

test('a text that was typed and not saved is offered after another tab has saved its own', async () => {
  await typeAndLeave()
  const [opened] = sync().operations.get()
  const body = { ...(opened?.input.body as object), body: 'From another tab.' }
  await sync().outbox.edit(opened?.id ?? '', body)
  render(within(<Feed />))
  await screen.findByText('From another tab.')
  await click(updateMessages.edit)
  await waitFor(() => expect(field().value).toBe('Budget denied.'))
  await click(updateMessages.cancel)
})
