// @vitest-environment jsdom
// The screen for a failed route: the code, its meaning, and what happened (specification, section 2).
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { ErrorScreen } from '../../../src/app/shell/error-screen.tsx'
import { CallError } from '../../../src/sync/client.ts'

afterEach(cleanup)

const renderError = (error: unknown, onRetry = () => undefined) =>
  render(
    <MemoryRouter initialEntries={['/accounts/7?view=all#facts']}>
      <ErrorScreen error={error} onRetry={onRetry} />
    </MemoryRouter>,
  )

const callError = (status: number) =>
  new CallError('refused', { status, message: 'The harbour is closed.' })

test.for([
  [new Error('It broke.'), 'Internal Server Error', '500', 'It broke.'],
  [callError(503), 'Internal Server Error', '503', 'The harbour is closed.'],
  [callError(404), 'Page Not Found', '404', '/accounts/7?view=all#facts'],
] as const)('states the code, its meaning and the message: %s', ([error, title, code, message]) => {
  renderError(error)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
  expect(document.title).toBe(`${title} · Cairn`)
  screen.getByText(code)
  screen.getByText(message)
  expect(screen.getByRole('link').getAttribute('href')).toBe('/success-plans')
})

test('is shown for thrown values that are not errors', () => {
  renderError('a word')
  screen.getByText('500')
})

test('offers to try again', async () => {
  const onRetry = vi.fn(() => undefined)
  renderError(new Error('It broke.'), onRetry)
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(onRetry).toHaveBeenCalledOnce()
})

test('says that a screen could not be loaded when its chunk cannot be fetched', () => {
  renderError(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'))
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    'This screen could not be loaded',
  )
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
