// @vitest-environment jsdom
// A field that the server does not keep: a form that offered it would lose what is typed there.
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { startEngine } from '../../../src/sync/browser/start-engine.ts'
import type { NotKept } from '../../../src/sync/core/arrival/kept-fields.ts'
import { screenCache } from '../../../src/sync/react/apply-changes.ts'
import { TextAreaField, TextField } from '../../../src/ui/form/field.tsx'
import { PlainForm } from '../../../src/widgets/editing/plain-form.tsx'
import { useEditor } from '../../../src/widgets/editing/use-editor.tsx'

beforeAll(() => void createSync(async (page) => startEngine(page, product, screenCache)))
afterEach(cleanup)

const keepAllBut = (notKept: NotKept) => sync().readReport.set({ unread: [], refused: {}, notKept })

function Form({ rejected }: { rejected?: { name: string; notes: string } }) {
  const editor = useEditor({
    draft: 'field-not-kept',
    id: 'account',
    collection: 'accounts',
    initial: { name: 'Flood Co', notes: '' },
    rejected,
    labels: { name: 'Name', notes: 'Notes' },
    check: (fields) => ({ ok: true, value: fields }),
    save: () => Promise.resolve(),
    done: () => undefined,
  })
  return (
    <PlainForm editor={editor} action="Save">
      <TextField {...editor.field('name')} />
      <TextAreaField {...editor.field('notes')} hint="What others should know." optional />
    </PlainForm>
  )
}

const labels = () => screen.getAllByRole('textbox').map((field) => field.getAttribute('name'))

test('it is not offered, and is again when the server returns it', async () => {
  keepAllBut({ accounts: ['notes'], initiatives: ['name'] })
  render(<Form />)
  await screen.findByRole('textbox', { name: 'Name' })
  expect(labels()).toEqual(['name'])
  expect(screen.queryByText('What others should know.')).toBe(null)
  act(() => keepAllBut({}))
  await screen.findByRole('textbox', { name: /^Notes/ })
  expect(labels()).toEqual(['name', 'notes'])
})

test('words that were typed there before stay in sight', async () => {
  keepAllBut({ accounts: ['notes'] })
  render(<Form rejected={{ name: 'Flood Co', notes: 'Call them.' }} />)
  await screen.findByRole('textbox', { name: 'Name' })
  expect(screen.getByDisplayValue('Call them.')).toBeTruthy()
})
