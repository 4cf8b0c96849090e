// @vitest-environment jsdom
// What follows a save, as leading to the new record, was done though the form had been left while it was being saved:
// the user was moved away from where they had gone. Where it was cancelled, nothing said that it had been saved.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Activity, type ComponentProps } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { draftKey, saveDraft } from '../../../src/sync/react/drafts.ts'
import { TextField } from '../../../src/ui/form/field.tsx'
import { EditorForm } from '../../../src/widgets/editing/editor-form.tsx'
import { useEditor } from '../../../src/widgets/editing/use-editor.tsx'
import { openOffline } from '../fixtures/offline-client.ts'
import { storedTexts } from '../fixtures/stored-texts.ts'

beforeAll(openOffline)
afterEach(cleanup)

interface FormProps {
  save: () => Promise<void>
  done: () => void
  cancel?: () => void
}

function Form({ save, done, cancel }: FormProps) {
  const editor = useEditor({
    draft: 'left',
    id: 'left',
    initial: { title: '' },
    labels: { title: 'Title' },
    check: (value) => ({ ok: true, value }),
    save,
    done,
  })
  return (
    <EditorForm editor={editor} action="Save" onCancel={() => cancel?.()}>
      <TextField {...editor.field('title')} />
    </EditorForm>
  )
}

/** The form in a list that stays rendered while a record is open, see `kept-outlet.tsx`. */
const inList = (mode: ComponentProps<typeof Activity>['mode'], props: FormProps) => (
  <Activity mode={mode}>
    <Form {...props} />
  </Activity>
)

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

/** A form whose first save takes until `finish` is called. */
async function submit() {
  const saving = Promise.withResolvers<void>()
  const save = vi.fn(() => Promise.resolve()).mockReturnValueOnce(saving.promise)
  const props = { save, done: vi.fn() }
  const { rerender, unmount } = render(inList('visible', props))
  await userEvent.type(await screen.findByRole('textbox'), 'Pilot')
  await press('Save')
  await waitFor(() => expect(save).toHaveBeenCalledOnce())
  await waitFor(async () => expect(String(await storedTexts('left'))).toContain('Pilot'))
  const finish = async () => {
    saving.resolve()
    // A saved form deletes its draft last.
    await waitFor(async () => expect(await storedTexts('left')).toEqual([]))
  }
  return { ...props, rerender, unmount, finish, props }
}

test('a form that is still there goes on when it is saved', async () => {
  const { done, finish } = await submit()
  await finish()
  expect(done).toHaveBeenCalledOnce()
})

test('a form cannot be cancelled meanwhile, and nor can its draft be discarded', async () => {
  await saveDraft(draftKey('left')!, JSON.stringify({ typed: { title: 'Draft' } }))
  const saving = Promise.withResolvers<void>()
  const done = vi.fn()
  const cancel = vi.fn()
  render(<Form save={() => saving.promise} done={done} cancel={cancel} />)
  await screen.findByDisplayValue('Draft')
  await press('Save')
  await press('Discard')
  await press('Cancel')
  expect(cancel).not.toHaveBeenCalled()
  screen.getByDisplayValue('Draft')
  saving.resolve()
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
})

test('a form that was left meanwhile does not go on', async () => {
  const { done, finish, unmount } = await submit()
  unmount()
  await finish()
  expect(done).not.toHaveBeenCalled()
})

test('a form of a list that is out of sight goes on when the list is shown again', async () => {
  const { done, finish, rerender, props } = await submit()
  rerender(inList('hidden', props))
  await finish()
  expect(done).not.toHaveBeenCalled()
  rerender(inList('visible', props))
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  rerender(inList('hidden', props))
  rerender(inList('visible', props))
  expect(done).toHaveBeenCalledOnce()
})
