// @vitest-environment jsdom
// A command that was given twice, such as an export, covered the screen of a phone with its message twice.
import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toast, Toaster } from '../../../src/ui/overlay/toast.tsx'

test('a message replaces the same one, unless that can be undone', () => {
  render(<Toaster />)
  const undo = { label: 'Undo', onSelect: () => {} }
  act(() => {
    toast('Deleted', undo)
    toast('48 plans exported')
    toast('Deleted', undo)
    toast('48 plans exported')
  })
  expect(screen.getAllByText('48 plans exported')).toHaveLength(1)
  expect(screen.getAllByText('Deleted')).toHaveLength(2)
})
