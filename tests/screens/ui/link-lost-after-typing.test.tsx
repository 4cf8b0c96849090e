// @vitest-environment jsdom
// A link is followed right after a key in the list's search, and its screen takes long to load: the text
// is not written to the URL any more, which would lead back to the list.
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useUrlText } from '../../../src/ui/form/use-url-text.ts'

beforeEach(() => {
  vi.useFakeTimers()
  history.replaceState(null, '', '/success-plans')
})
afterEach(() => void vi.useRealTimers())

/** Types, and returns what was written to the URL once the user has stopped. */
function typeAnd(then: () => void): string[] {
  const written: string[] = []
  const { result } = renderHook(() => useUrlText('', (text) => written.push(text)))
  act(() => result.current[1]('roll'))
  then()
  act(() => void vi.runAllTimers())
  return written
}

test('typed text is written to the URL of its screen', () => {
  expect(typeAnd(() => history.replaceState(null, '', '?sort=title'))).toEqual(['roll'])
})

test('text is not written once a link was followed', () => {
  expect(typeAnd(() => history.pushState(null, '', '/success-plans/1'))).toEqual([])
})
