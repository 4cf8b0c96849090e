// @vitest-environment jsdom
// A file that was corrected could not be chosen again, as its path was that of the file before.
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { FileField } from '../../../src/ui/form/file-field.tsx'

afterEach(cleanup)

test('a file can be chosen again, and none is chosen while the next one is', async () => {
  const onChoose = vi.fn()
  render(<FileField label="File" accept=".csv" onChoose={onChoose} />)
  const field = screen.getByLabelText<HTMLInputElement>('File')
  const file = new File(['Name\n'], 'accounts.csv', { type: 'text/csv' })
  await userEvent.upload(field, file)
  expect(onChoose.mock.calls).toEqual([[file]])
  await userEvent.upload(field, file)
  expect(onChoose.mock.calls).toEqual([[file], [undefined], [file]])
})
