// @vitest-environment jsdom
// A link is followed right after a key in the list's search, and its screen takes long to load: the text
// is not written to the URL any more, which would lead back to the list. A layout without the field lost it.
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useUrlText } from '../../../src/ui/form/use-url-text.ts'

beforeEach(() => {
  vi.useFakeTimers()
  history.replaceState(null, '', '/success-plans')
})
afterEach(() => void vi.useRealTimers())

/** Types, and returns what was written to the URL once the user has stopped. */
function typeAnd(then: (unmount: () => void) => void): string[] {
  const written: string[] = []
  const { result, unmount } = renderHook(() => useUrlText('', (text) => written.push(text)))
  act(() => result.current[1]('roll'))
  then(unmount)
  act(() => void vi.runAllTimers())
  return written
}

test('typed text is written to the URL of its screen', () => {
  expect(typeAnd(() => history.replaceState(null, '', '?sort=title'))).toEqual(['roll'])
})

test('text is not written once a link was followed', () => {
  expect(typeAnd(() => history.pushState(null, '', '/success-plans/1'))).toEqual([])
})

test('text is written once when its field is removed from the screen at once', () => {
  expect(typeAnd((unmount) => unmount())).toEqual(['roll'])
  expect(
    typeAnd((unmount) => {
      vi.runAllTimers()
      unmount()
    }),
  ).toEqual(['roll'])
})

test.for(['/success-plans/1', '/success-plans?review'])(
  'text is not written when its field is removed because a link was followed: %s',
  (to) => {
    const follow = (unmount: () => void) => {
      history.pushState(null, '', to)
      unmount()
    }
    expect(typeAnd(follow)).toEqual([])
  },
)

test('a link that changes the text wins over what waits, also when the field is removed then', () => {
  const written: string[] = []
  const { result, rerender, unmount } = renderHook(
    ({ inUrl }) => useUrlText(inUrl, (text) => written.push(text)),
    { initialProps: { inUrl: '' } },
  )
  act(() => result.current[1]('roll'))
  rerender({ inUrl: 'alert' })
  expect(result.current[0]).toBe('alert')
  unmount()
  expect(written).toEqual([])
})
