// @vitest-environment jsdom
// A list that was kept behind a record, or a page that slept, still showed the day before.
import { act, cleanup, render, screen } from '@testing-library/react'
import { Activity } from 'react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { useToday } from '../../../src/data/organisations/use-today.ts'
import { createSync } from '../../../src/sync/client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'

beforeAll(() => createSync(() => Promise.reject(new Error('No engine.'))))
beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-03-10T23:59:00Z') }))
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const Today = () => <output>{useToday()}</output>
const shown = () => screen.getByRole('status', { hidden: true }).textContent

function Kept({ isShown }: { isShown: boolean }) {
  return (
    <QueryProvider>
      <Activity mode={isShown ? 'visible' : 'hidden'}>
        <Today />
      </Activity>
    </QueryProvider>
  )
}
/** Time passes, as in a page whose timers do not run. */
const sleep = () => vi.setSystemTime(Date.parse('2026-03-11T07:00:00Z'))

test('a list that is shown again shows the present day', () => {
  const { rerender } = render(<Kept isShown />)
  rerender(<Kept isShown={false} />)
  sleep()
  rerender(<Kept isShown />)
  expect(shown()).toBe('2026-03-11')
})

test.each([
  ['is looked at', () => document.dispatchEvent(new Event('visibilitychange'))],
  ['is taken from the cache of the browser', () => window.dispatchEvent(new Event('pageshow'))],
])('a page that %s again shows the present day', (_, wake) => {
  render(<Kept isShown />)
  expect(shown()).toBe('2026-03-10')
  sleep()
  act(() => void wake())
  expect(shown()).toBe('2026-03-11')
})
