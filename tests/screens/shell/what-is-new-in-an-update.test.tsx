// @vitest-environment jsdom
// The prompt of an update does not say what is new, or shows a page that a network answered in place of it.
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { UpdatePrompt } from '../../../src/app/shell/update-prompt.tsx'
import { waitFor } from '../../wait-for.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const prompt = () =>
  render(<UpdatePrompt accepted={false} onAccept={() => undefined} />).container.querySelector(
    'output',
  )

function answer(body: string, type: string, status = 200) {
  const headers = { 'Content-Type': type }
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body, { status, headers }))
}

test('the prompt of an update says what is new in it', async () => {
  answer('Plans can be printed.', 'text/plain; charset=utf-8')
  prompt()
  expect(await screen.findByText('Plans can be printed.')).toBeTruthy()
})

test.each([
  ['a page of the network', () => answer('<h1>Sign in</h1>', 'text/html')],
  ['a server without the file', () => answer('Not found', 'text/plain', 404)],
  [
    'no answer',
    () => void vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch')),
  ],
])('it says nothing of it after %s', async (_, answered) => {
  answered()
  const output = prompt()
  await waitFor(() => expect(fetch).toHaveBeenCalled())
  await new Promise((resolve) => void setTimeout(resolve))
  expect(output?.textContent).toBe('A new version is ready')
})
