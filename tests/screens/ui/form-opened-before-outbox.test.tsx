// @vitest-environment jsdom
// A form opens right after a start, before the outbox has been read: it would show, and be based on, a record
// without the edits that are stored on this device.
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen } from '@testing-library/react'
import { lazy, Suspense, useSyncExternalStore, type ComponentType } from 'react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { startEngine } from '../../../src/sync/browser/start-engine.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import { screenCache } from '../../../src/sync/react/apply-changes.ts'
import { useAllOperations } from '../../../src/sync/react/use-sync.ts'
import { TextField } from '../../../src/ui/form/field.tsx'
import { PlainForm } from '../../../src/widgets/editing/plain-form.tsx'
import { useEditor } from '../../../src/widgets/editing/use-editor.tsx'
import { ANN } from '../fixtures/offline-client.ts'

beforeAll(() => void createSync(async (page) => startEngine(page, product, screenCache)))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  sync().operations.set([])
})

function Form({ isNew = false }: { isNew?: boolean }) {
  const { operations } = sync()
  const [edit] = useSyncExternalStore(operations.subscribe, operations.get)
  return <Fields edit={edit} isNew={isNew} />
}

/** Its operations are rendered in a transition, which waits until the part that shows them is loaded. */
function ScreenWithPart({ part: Part }: { part: ComponentType }) {
  const [edit] = useAllOperations()
  return (
    <Suspense fallback="Loading">
      {edit && <Part />}
      <Fields edit={edit} isNew={false} />
    </Suspense>
  )
}

function Fields({ edit, isNew }: { edit: Operation | undefined; isNew: boolean }) {
  const title = edit ? 'Edited offline' : 'As pulled'
  const editor = useEditor({
    draft: 'form-opened-before-outbox',
    id: 'form',
    initial: { title },
    record: isNew ? undefined : { version: 1, title },
    labels: { title: 'Title' },
    check: (fields) => ({ ok: true, value: fields }),
    save: () => Promise.resolve(),
    done: () => undefined,
  })
  return (
    <PlainForm editor={editor} action="Save">
      <TextField {...editor.field('title')} />
    </PlainForm>
  )
}

const titleField = () => screen.queryByRole<HTMLInputElement>('textbox')

test('a form for a record opens when the outbox has been read, with the edits in it', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const engine = await sync().ready()
  vi.spyOn(sync(), 'ready').mockResolvedValue({ ...engine, decided: started })
  render(<Form />)
  await sync().store.transact(['drafts'], 'readonly', (tx) => tx.get('drafts', ['none']))
  expect(titleField()).toBe(null)
  await act(async () => {
    sync().operations.set([{} as Operation])
    start()
    await started
  })
  expect((await screen.findByRole<HTMLInputElement>('textbox')).value).toBe('Edited offline')
})

test('a form waits for the edits where a part that shows them is not loaded yet', async () => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  const engine = await sync().ready()
  vi.spyOn(sync(), 'ready').mockResolvedValue({ ...engine, decided: started })
  sync().storedSession.set({ ...sync().storedSession.get(), session: ANN })
  const code = Promise.withResolvers<{ default: ComponentType }>()
  render(<ScreenWithPart part={lazy(() => code.promise)} />)
  await act(async () => sync().operations.set([{ user_id: ANN.user.id } as Operation]))
  await act(async () => {
    start()
    await started
  })
  expect(titleField()).toBe(null)
  await act(async () => {
    code.resolve({ default: () => null })
    await code.promise
  })
  expect((await screen.findByRole<HTMLInputElement>('textbox')).value).toBe('Edited offline')
})

test('a form for a new record does not wait for the outbox', async () => {
  const ready = vi.spyOn(sync(), 'ready').mockReturnValue(new Promise(() => undefined))
  render(<Form isNew />)
  expect((await screen.findByRole<HTMLInputElement>('textbox')).value).toBe('As pulled')
  expect(ready).not.toHaveBeenCalled()
})
