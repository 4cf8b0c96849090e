// @vitest-environment jsdom
// A field that the server does not keep: a form that offered it would lose what is typed there.
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { startEngine } from '../../../src/sync/browser/start-engine.ts'
import type { NotKept } from '../../../src/sync/core/arrival/server-fields.ts'
import { screenCache } from '../../../src/sync/react/apply-changes.ts'
import { CellContext } from '../../../src/features/success-plans/list/table/cells.tsx'
import { PlanCell } from '../../../src/features/success-plans/list/table/plan-cell.tsx'
import { TextAreaField, TextField } from '../../../src/ui/form/field.tsx'
import { PlainForm } from '../../../src/widgets/editing/plain-form.tsx'
import { useEditor } from '../../../src/widgets/editing/use-editor.tsx'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(() => void createSync(async (page) => startEngine(page, product, screenCache)))
afterEach(cleanup)

const keepAllBut = (notKept: NotKept) => sync().readReport.set({ unread: [], refused: {}, notKept })

function Assigning() {
  const editor = useEditor({
    draft: 'assignee-not-kept',
    id: 'action',
    collection: 'actions',
    sets: { assignee: ['assignee_id', 'assignee_contact'] },
    initial: { title: 'Call', assignee: '' },
    labels: { title: 'Title', assignee: 'Assignee' },
    check: (fields) => ({ ok: true, value: fields }),
    save: () => Promise.resolve(),
    done: () => undefined,
  })
  return (
    <PlainForm editor={editor} action="Save">
      <TextField {...editor.field('title')} />
      <TextField {...editor.field('assignee')} />
    </PlainForm>
  )
}

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

test('a field that the server does not keep is not offered until the server returns it', async () => {
  keepAllBut({ accounts: ['notes'], initiatives: ['name'] })
  render(<Form />)
  await screen.findByRole('textbox', { name: 'Name' })
  expect(labels()).toEqual(['name'])
  expect(screen.queryByText('What others should know.')).toBe(null)
  act(() => keepAllBut({}))
  await screen.findByRole('textbox', { name: /^Notes/ })
  expect(labels()).toEqual(['name', 'notes'])
})

test('text that was typed there before stays visible', async () => {
  keepAllBut({ accounts: ['notes'] })
  render(<Form rejected={{ name: 'Flood Co', notes: 'Call them.' }} />)
  await screen.findByRole('textbox', { name: 'Name' })
  expect(screen.getByDisplayValue('Call them.')).toBeTruthy()
})

test('a field that sets one of two is offered while the server keeps either', async () => {
  keepAllBut({ actions: ['assignee_contact'] })
  render(<Assigning />)
  await screen.findByRole('textbox', { name: 'Title' })
  expect(labels()).toEqual(['title', 'assignee'])
  act(() => keepAllBut({ actions: ['assignee_contact', 'assignee_id'] }))
  await waitFor(() => expect(labels()).toEqual(['title']))
})

test('a cell of the table is edited only where its field is kept', () => {
  const plan = planWith({ owner_id: null, health: 'good' })
  const notKept = new Set(['owner_id'])
  const context = {
    today: '2026-03-01',
    now: 0,
    nameOf: () => undefined,
    pending: new Map(),
    edit: () => undefined,
    keeps: (field: string) => !notKept.has(field),
  }
  render(
    <CellContext value={context}>
      <PlanCell plan={plan} field="owner_id">
        Mia
      </PlanCell>
      <PlanCell plan={plan} field="health">
        Good
      </PlanCell>
    </CellContext>,
  )
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Good'])
})
