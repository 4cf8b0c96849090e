// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Avatar } from '../../../src/ui/display/avatar.tsx'
import { Button } from '../../../src/ui/button.tsx'
import { Dialog } from '../../../src/ui/overlay/dialog.tsx'
import { TextField } from '../../../src/ui/form/field.tsx'
import { ProgressBar } from '../../../src/ui/display/progress.tsx'
import { toast, Toaster } from '../../../src/ui/overlay/toast.tsx'

/** Where toasts find room: loaded when a test says so. */
const freePlace = vi.hoisted(() => ({
  loading: Promise.withResolvers<void>(),
  keepFree: vi.fn(),
}))
vi.mock('../../../src/ui/overlay/free-place.ts', async () => {
  await freePlace.loading.promise
  return { keepFree: freePlace.keepFree }
})

// The dialog's lazy part. Compiling it can take longer than a test waits for it.
beforeAll(() => import('../../../src/ui/overlay/dialog-sheet.tsx'))
afterEach(cleanup)

describe('a button', () => {
  function formWith(button: React.ReactNode) {
    const sent = vi.fn((event: React.SubmitEvent) => event.preventDefault())
    render(<form onSubmit={sent}>{button}</form>)
    return sent
  }

  it('does not submit a form unless its type says so', async () => {
    const sent = formWith(<Button>Add a line</Button>)
    await userEvent.click(screen.getByRole('button'))
    expect(sent).not.toHaveBeenCalled()
  })

  it('does not submit while it is busy', async () => {
    const sent = formWith(
      <Button type="submit" busy>
        Post
      </Button>,
    )
    await userEvent.dblClick(screen.getByRole('button', { name: 'Post' }))
    expect(sent).not.toHaveBeenCalled()
  })

  it('that is unavailable does nothing, stays focusable and states its reason', async () => {
    const press = vi.fn()
    const sent = formWith(
      <Button type="submit" onClick={press} unavailable="Deleting needs a connection">
        Delete
      </Button>,
    )
    await userEvent.tab()
    const button = screen.getByRole('button', { name: 'Delete' })
    expect(document.activeElement).toBe(button)
    await userEvent.keyboard('{Enter}')
    await userEvent.click(button)
    expect(press).not.toHaveBeenCalled()
    expect(sent).not.toHaveBeenCalled()
    const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '')
    expect(reason?.textContent).toBe('Deleting needs a connection')
  })

  it('leaves an avatar’s initials out of its name', () => {
    render(
      <Button>
        <Avatar name="Mia Okafor" />
        Mia Okafor
      </Button>,
    )
    expect(screen.getByRole('button').textContent).toBe('Mia Okafor')
  })
})

describe('a field', () => {
  it('is described by its hint and its error', () => {
    render(<TextField label="Email" hint="The one for work" error="That is no address" />)
    const input = screen.getByLabelText('Email')
    const ids = (input.getAttribute('aria-describedby') ?? '').split(' ')
    expect(ids.map((id) => document.getElementById(id)?.textContent)).toEqual([
      'The one for work',
      'That is no address',
    ])
    expect(input.getAttribute('aria-invalid')).toBe('true')
  })

  it('keeps its value when a password is shown', async () => {
    render(<TextField label="Password" type="password" />)
    const input = screen.getByLabelText<HTMLInputElement>('Password')
    await userEvent.type(input, 'correct horse')
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
    expect([input.type, input.value]).toEqual(['text', 'correct horse'])
  })
})

function PauseDialog() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Pause</Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Pause this plan?">
        <TextField label="Why" />
      </Dialog>
    </>
  )
}

it('returns focus to its button when the first dialog closes', async () => {
  render(<PauseDialog />)
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
  await screen.findByRole('dialog', { name: 'Pause this plan?' })
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Why')))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Pause' })),
  )
})

it('makes the page behind it inert each time a dialog opens', async () => {
  const { container } = render(<PauseDialog />)
  for (const time of ['first', 'second']) {
    await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
    await screen.findByRole('dialog', { name: 'Pause this plan?' })
    await waitFor(() => expect(container.getAttribute('aria-hidden'), time).toBe('true'))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(container.getAttribute('aria-hidden'), time).toBe(null))
  }
})

it('announces progress as text', () => {
  render(<ProgressBar label="Pilot in two regions" value={62} expected={70} />)
  const bar = screen.getByRole('progressbar', { name: 'Pilot in two regions' })
  expect(bar.getAttribute('aria-valuetext')).toBe('62%, 70% of the time gone')
})

it('keeps a toast out of sight until it has a place that covers no control', async () => {
  render(<Toaster />)
  act(() => toast('Ready to work offline'))
  const region = screen.getByRole('region', { name: 'Notifications' })
  expect(region.textContent).toContain('Ready to work offline')
  expect(region.className).toContain('opacity-0')
  freePlace.loading.resolve()
  await waitFor(() => expect(region.className).not.toContain('opacity-0'))
  expect(freePlace.keepFree).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(region.textContent).toBe('')
})

it('keeps each undo for its time, however many messages follow it', async () => {
  render(<Toaster />)
  const deleted = ['First', 'Second', 'Third', 'Fourth', 'Fifth']
  act(() => {
    for (const text of deleted) toast(text, { label: 'Undo', onSelect: () => undefined })
    for (const text of ['Sixth', 'Seventh', 'Eighth', 'Ninth']) toast(text)
  })
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(deleted.length)
  expect(screen.queryByText('Sixth')).toBeNull()
  for (const button of screen.getAllByRole('button', { name: 'Dismiss' }))
    await userEvent.click(button)
})

it('announces the first toast in a live region that exists before it', async () => {
  render(<Toaster />)
  const region = screen.getByRole('region', { name: 'Notifications' })
  expect(region.getAttribute('aria-live')).toBe('polite')
  const undo = vi.fn()
  toast('Update removed', { label: 'Undo', onSelect: undo })
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(undo).toHaveBeenCalledOnce()
  expect(region.textContent).toBe('')
})
