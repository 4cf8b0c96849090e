// @vitest-environment jsdom
// Saving a template replaced what a colleague had made of it since its form was opened; and what the form itself had
// saved, though the answer was lost, was taken for a colleague's.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { blankRecords } from '../../../contract/resource-schemas.ts'
import type { Template } from '../../../contract/schemas/templates.ts'
import { templateFormMessages as messages } from '../../../src/features/templates/messages.ts'
import { TemplateForm } from '../../../src/features/templates/template-form.tsx'
import { CallError, sync } from '../../../src/sync/client.ts'
import { editingMessages } from '../../../src/widgets/editing/messages.ts'
import { Replica } from '../../../src/sync/core/replica.ts'
import { openOffline } from '../fixtures/offline-client.ts'

// The user of the fixture has no role, and no network.
vi.mock('../../../src/features/templates/use-write-blocker.ts', () => ({
  useWriteBlocker: () => undefined,
}))
beforeAll(openOffline)
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const SEEN: Template = {
  ...blankRecords.templates,
  id: 'onboarding',
  title: 'Onboarding',
  description: 'For new customers.',
  duration_days: 90,
  version: 5,
}

/** The form of the template, which a colleague has changed on the server meanwhile. */
async function openForm(changed: Partial<Template>) {
  const current = { ...SEEN, ...changed, version: 7 }
  vi.spyOn(sync(), 'pull').mockResolvedValue()
  vi.spyOn(Replica.prototype, 'collection').mockResolvedValue([current])
  const versions: (number | undefined)[] = []
  const call = vi.spyOn(sync(), 'call').mockImplementation(async (row, { version }) => {
    if (row !== endpoints.updateTemplate) throw new CallError('unreachable')
    versions.push(version)
    if (version !== current.version) throw new CallError('refused', { status: 412, message: '' })
    return undefined
  })
  const done = vi.fn()
  render(
    <MemoryRouter>
      <QueryClientProvider client={new QueryClient()}>
        <TemplateForm template={SEEN} onDone={done} onCancel={() => undefined} />
      </QueryClientProvider>
    </MemoryRouter>,
  )
  await userEvent.type(await screen.findByRole('textbox', { name: messages.fields.title }), ' 2')
  const save = () => userEvent.click(screen.getByRole('button', { name: messages.save }))
  return { call, done, save, versions }
}

test('a part that a colleague has set as well is replaced only once the user knows', async () => {
  const { done, save, versions } = await openForm({ title: 'Welcome' })
  await save()
  expect(await screen.findByText(messages.changedMeanwhile)).toBeTruthy()
  expect(screen.getByDisplayValue('Onboarding 2')).toBeTruthy()
  expect([done.mock.calls.length, versions]).toEqual([0, [5]])
  await save()
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(versions).toEqual([5, 7])
})

test('what a colleague has set in another part stays, without a question', async () => {
  const { done, save, versions } = await openForm({ description: 'For all customers.' })
  await save()
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(versions).toEqual([5, 7])
})

test.each([
  ['as it is', ''],
  ['after more was typed', '3'],
])(
  'what was saved though its answer was lost is saved again %s, without a question',
  async (_, more) => {
    const { call, done, save, versions } = await openForm({ title: 'Onboarding 2' })
    call.mockRejectedValueOnce(new CallError('unreachable'))
    await save()
    await screen.findByText(editingMessages.unreachable)
    if (more !== '')
      await userEvent.type(screen.getByRole('textbox', { name: messages.fields.title }), more)
    await save()
    await waitFor(() => expect(done).toHaveBeenCalledOnce())
    expect(versions).toEqual([5, 7])
  },
)
