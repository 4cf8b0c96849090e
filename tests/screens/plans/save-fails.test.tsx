// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { StatusDialog } from '../../../src/features/success-plans/updates/status-dialog.tsx'
import { screenCache } from '../../../src/sync/react/apply-changes.ts'
import { startEngine } from '../../../src/sync/browser/start-engine.ts'
import { createSync, sync } from '../../../src/sync/client.ts'
import { StorageFullError } from '../../../src/sync/core/ports.ts'
import { editingMessages } from '../../../src/widgets/editing/messages.ts'
import { planWith } from '../fixtures/record-fixtures.ts'

beforeAll(() => void createSync(async (page) => startEngine(page, product, screenCache)))
beforeEach(async () => {
  render(<StatusDialog plan={planWith()} to="paused" name="Pause" onClose={() => undefined} />)
  await userEvent.type(await screen.findByRole('textbox'), 'Waiting for the contract')
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function pauseFailingWith(error: Error) {
  vi.spyOn(sync(), 'enqueue').mockRejectedValue(error)
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
}

test('a status change says that the device is full when it is', async () => {
  await pauseFailingWith(new StorageFullError())
  expect(await screen.findByText(editingMessages.full)).toBeTruthy()
})

test('a status change that fails for another reason does not say that the device is full', async () => {
  await pauseFailingWith(new Error('A chunk could not be loaded.'))
  expect(await screen.findByText(editingMessages.failed)).toBeTruthy()
  expect(screen.queryByText(/full/)).toBe(null)
})

test('a second press while a status change is being saved saves nothing more', async () => {
  const saved = Promise.withResolvers<never>()
  const enqueue = vi.spyOn(sync(), 'enqueue').mockReturnValue(saved.promise)
  await userEvent.dblClick(screen.getByRole('button', { name: 'Pause' }))
  await userEvent.keyboard('{Enter}')
  saved.reject(new StorageFullError())
  expect(await screen.findByText(editingMessages.full)).toBeTruthy()
  expect(enqueue).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
  expect(enqueue).toHaveBeenCalledTimes(2)
})
