// @vitest-environment jsdom
// A form that was closed and opened again with its draft created a second record after a lost answer, replaced what
// others had set in fields that have other names in the record, and hid what had been rejected meanwhile.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { EditorForm } from '../../../src/widgets/editing/editor-form.tsx'
import { changesOf, useEditor } from '../../../src/widgets/editing/use-editor.tsx'
import { TextField } from '../../../src/ui/form/field.tsx'
import { CallError } from '../../../src/sync/client.ts'
import { openOffline } from '../fixtures/offline-client.ts'
import { storedTexts } from '../fixtures/stored-texts.ts'

beforeAll(openOffline)
afterEach(cleanup)

interface Person {
  version: number
  assignee_id: string
  note: string
}

interface Props {
  draft: string
  record?: Person
  rejected?: { assignee: string; note: string }
  save: (changes: object, seen: unknown, new_id: string) => Promise<void>
}

function Form({ draft, record, rejected, save }: Props) {
  const editor = useEditor({
    draft,
    id: 'test',
    sets: { assignee: ['assignee_id'] },
    initial: { assignee: record?.assignee_id ?? '', note: record?.note ?? '' },
    record,
    rejected,
    labels: { assignee: 'Assignee', note: 'Note' },
    check: (value) => ({ ok: true, value }),
    save: (value, changed, seen, { new_id }) => save(changesOf(value, changed), seen, new_id),
    done: () => undefined,
  })
  return (
    <EditorForm editor={editor} action="Save" onCancel={() => undefined}>
      <TextField {...editor.field('assignee')} />
      <TextField {...editor.field('note')} />
      {editor.failure}
    </EditorForm>
  )
}

const type = async (name: string, text: string) => {
  const field = await screen.findByRole('textbox', { name })
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
const press = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
const restored = (text: string) => screen.findByDisplayValue(text)

test('a record is created under one id, though the form was closed after a lost answer', async () => {
  const ids: string[] = []
  const save = vi.fn(async (_changes: object, _seen: unknown, new_id: string) => {
    ids.push(new_id)
    if (ids.length === 1) throw new CallError('unreachable')
  })
  render(<Form draft="created" save={save} />)
  await type('Note', 'Onboarding')
  await press()
  await waitFor(() => expect(save).toHaveBeenCalledOnce())
  cleanup()
  render(<Form draft="created" save={save} />)
  await restored('Onboarding')
  await press()
  await waitFor(() => expect(save).toHaveBeenCalledTimes(2))
  expect(ids[1]).toBe(ids[0])
  await waitFor(async () => expect(await storedTexts('created')).toEqual([]))
  cleanup()
  render(<Form draft="created" save={save} />)
  await type('Note', 'Another one')
  await press()
  await waitFor(() => expect(save).toHaveBeenCalledTimes(3))
  expect(ids[2]).not.toBe(ids[0])
})

test('a restored draft is based on what it was typed over, where the record has another name for it', async () => {
  const save = vi.fn(async () => undefined)
  const record = { version: 5, assignee_id: 'ann', note: '' }
  render(<Form draft="based" record={record} save={save} />)
  await type('Assignee', 'bob')
  cleanup()
  render(<Form draft="based" record={{ ...record, version: 7, assignee_id: 'dora' }} save={save} />)
  await restored('bob')
  await press()
  await waitFor(() => expect(save).toHaveBeenCalledOnce())
  expect(save).toHaveBeenCalledWith({ assignee: 'bob' }, record, expect.any(String))
})

test('a restored draft and what has been rejected meanwhile are both in the form', async () => {
  const save = vi.fn(async () => undefined)
  const record = { version: 5, assignee_id: 'ann', note: '' }
  render(<Form draft="rejected" record={record} save={save} />)
  await type('Note', 'Later')
  cleanup()
  render(
    <Form draft="rejected" record={record} rejected={{ assignee: 'gone', note: '' }} save={save} />,
  )
  await restored('Later')
  await press()
  await waitFor(() => expect(save).toHaveBeenCalledOnce())
  expect(save).toHaveBeenCalledWith({ assignee: 'gone', note: 'Later' }, record, expect.anything())
})
