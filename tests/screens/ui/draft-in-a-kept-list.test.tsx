// @vitest-environment jsdom
// A list that is kept behind a plan showed its own copy of an update’s draft when it was shown again, and saved that
// over what had been written on the page of the plan, or offered it again once it was posted. A dialog in such a list
// took its own draft for that of another, and offered it again once it was saved.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Activity } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { updateMessages } from '../../../src/features/success-plans/plan-messages.ts'
import { UpdateComposer } from '../../../src/features/success-plans/updates/update-composer.tsx'
import { NoteDialog } from '../../../src/features/success-plans/updates/note-dialog.tsx'
import { sync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { planWith } from '../fixtures/record-fixtures.ts'
import { storedTexts } from '../fixtures/stored-texts.ts'

beforeAll(async () => {
  const media = { matches: true, addEventListener() {}, removeEventListener() {} }
  vi.stubGlobal('matchMedia', () => media)
  await openOffline()
})
afterEach(cleanup)

const plan = planWith()

function Screens({ shows }: { shows: 'list' | 'plan' }) {
  return (
    <MemoryRouter>
      <QueryProvider>
        <Activity mode={shows === 'list' ? 'visible' : 'hidden'}>
          <section aria-label="List">
            <UpdateComposer plan={plan} />
          </section>
        </Activity>
        {shows === 'plan' && <UpdateComposer plan={plan} />}
      </QueryProvider>
    </MemoryRouter>
  )
}

const field = () =>
  screen.findByRole<HTMLTextAreaElement>('textbox', { name: updateMessages.label })

test('a kept list shows what was written on the page of the plan, and not what was posted there', async () => {
  const { rerender } = render(<Screens shows="list" />)
  await userEvent.type(await field(), 'They signed')
  rerender(<Screens shows="plan" />)
  await waitFor(async () => expect((await field()).value).toBe('They signed'))
  await userEvent.type(await field(), ' for two years')
  rerender(<Screens shows="list" />)
  await waitFor(async () => expect((await field()).value).toBe('They signed for two years'))
  rerender(<Screens shows="plan" />)
  await waitFor(async () => expect((await field()).value).toBe('They signed for two years'))
  await userEvent.click(screen.getByRole('button', { name: updateMessages.post }))
  await waitFor(async () => expect((await field()).value).toBe(''))
  rerender(<Screens shows="list" />)
  await waitFor(async () => expect((await field()).value).toBe(''))
})

test('a dialog of a kept list stores its text once, and nothing of it once it is saved', async () => {
  const deleteDraft = (key: string[]) =>
    sync().store.transact(['drafts'], 'strict', async (tx) => tx.delete('drafts', key))
  const shown = (mode: 'visible' | 'hidden') => (
    <Activity mode={mode}>
      <NoteDialog
        draft="status:a:paused"
        title="Pause"
        label="Reason"
        hint={undefined}
        actions={{ cancel: 'Discard', save: 'Pause', variant: 'primary' }}
        save={async (_, key = []) => deleteDraft(key)}
        onClose={() => undefined}
      />
    </Activity>
  )
  const { rerender } = render(shown('visible'))
  const reason = () => screen.findByRole('textbox', { name: /Reason/, hidden: true })
  await userEvent.type(await reason(), 'Budget')
  rerender(shown('hidden'))
  await waitFor(async () => expect(await storedTexts('status:a:paused')).toEqual(['Budget']))
  rerender(shown('visible'))
  await userEvent.type(await reason(), ' frozen')
  await waitFor(async () => expect(await storedTexts('status:a:paused')).toEqual(['Budget frozen']))
  await userEvent.click(screen.getByRole('button', { name: 'Pause', hidden: true }))
  await waitFor(async () => expect(await storedTexts('status:a:paused')).toEqual([]))
})
