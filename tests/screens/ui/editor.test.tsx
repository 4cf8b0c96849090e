// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { validate } from '../../../contract/errors.ts'
import { InitiativeDraft, InitiativeEdit } from '../../../contract/schemas/initiatives.ts'
import { product } from '../../../src/app/boot/product.ts'
import { EditorForm } from '../../../src/widgets/editing/editor-form.tsx'
import { changesOf, nonEmptyFields, useEditor } from '../../../src/widgets/editing/use-editor.tsx'
import { createSync } from '../../../src/sync/client.ts'
import { startEngine } from '../../../src/sync/browser/start-engine.ts'
import { screenCache } from '../../../src/sync/react/apply-changes.ts'
import { StorageFullError } from '../../../src/sync/core/ports.ts'
import { TextField } from '../../../src/ui/form/field.tsx'

beforeAll(() => void createSync(async (page) => startEngine(page, product, screenCache)))
afterEach(cleanup)

const LABELS = { title: 'Title', description: 'Description' }
const RECORD = { version: 7, title: 'Pilot', description: 'Two regions' }

interface Props {
  record?: typeof RECORD
  refused?: { title: string; description: string }
  save: (changes: object, seen: unknown) => Promise<void>
}

function Form({ record, refused, save }: Props) {
  const editor = useEditor({
    draft: 'test',
    id: 'test',
    initial: { title: record?.title ?? '', description: record?.description ?? '' },
    record,
    rejected: refused,
    labels: LABELS,
    check: (fields) =>
      validate(record ? InitiativeEdit : InitiativeDraft, { title: '', ...nonEmptyFields(fields) }),
    save: (value, changed, seen) => save(changesOf(value, changed), seen),
    done: () => undefined,
  })
  return (
    <EditorForm editor={editor} action="Save" onCancel={() => undefined}>
      <TextField {...editor.field('title')} />
      <TextField {...editor.field('description')} />
    </EditorForm>
  )
}

const open = async (props: Props) => {
  render(<Form {...props} />)
  return {
    title: await screen.findByRole('textbox', { name: 'Title' }),
    description: screen.getByRole('textbox', { name: 'Description' }),
    save: screen.getByRole('button', { name: 'Save' }),
  }
}

describe('an edit', () => {
  it('sends only the fields that were changed', async () => {
    const save = vi.fn(async () => undefined)
    const form = await open({ record: RECORD, save })
    await userEvent.type(form.title, ' in spring')
    await userEvent.click(form.save)
    await waitFor(() => expect(save).toHaveBeenCalledOnce())
    expect(save).toHaveBeenCalledWith({ title: 'Pilot in spring' }, RECORD)
  })

  it('can clear a field', async () => {
    const save = vi.fn(async () => undefined)
    const form = await open({ record: RECORD, save })
    await userEvent.clear(form.description)
    await userEvent.click(form.save)
    await waitFor(() => expect(save).toHaveBeenCalledWith({ description: null }, RECORD))
  })

  it('begins with the values of a rejected edit', async () => {
    const save = vi.fn(async () => undefined)
    const form = await open({
      record: RECORD,
      refused: { title: 'No', description: RECORD.description },
      save,
    })
    expect(form.title).toHaveProperty('value', 'No')
    await userEvent.click(form.save)
    await waitFor(() => expect(save).toHaveBeenCalledWith({ title: 'No' }, RECORD))
  })
})

describe('a form', () => {
  it('lists its errors, links them to their fields and is not sent', async () => {
    const save = vi.fn(async () => undefined)
    const form = await open({ save })
    await userEvent.click(form.save)
    const summary = await screen.findByRole('alert')
    await waitFor(() => expect(document.activeElement).toBe(summary))
    expect(summary.textContent).toContain('Title: This must not be empty.')
    expect(form.title.getAttribute('aria-invalid')).toBe('true')
    await userEvent.click(screen.getByRole('link', { name: /Title/ }))
    expect(document.activeElement).toBe(form.title)
    await userEvent.type(form.title, 'Pilot')
    expect(form.title.getAttribute('aria-invalid')).toBe(null)
    expect(save).not.toHaveBeenCalled()
  })

  it('keeps the text when the device is full', async () => {
    const save = vi.fn(() => Promise.reject(new StorageFullError()))
    const form = await open({ save })
    await userEvent.type(form.title, 'Pilot')
    await userEvent.click(form.save)
    await screen.findByText(/The device is full/)
    expect(form.title).toHaveProperty('value', 'Pilot')
  })
})
