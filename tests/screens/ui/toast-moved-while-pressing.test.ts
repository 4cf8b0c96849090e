// @vitest-environment jsdom
// A click needs press and release on the same control; a toast that moves over it in between takes it.
import { expect, test, vi } from 'vitest'
import { keepFree } from '../../../src/ui/overlay/free-place.ts'

const CHECK_MS = 500

test('a toast keeps its place until the pointer is released', () => {
  vi.useFakeTimers()
  document.body.innerHTML = '<button>Post update</button><section><div>Saved</div></section>'
  const button = document.querySelector('button')!
  const section = document.querySelector('section')!
  section.firstElementChild!.getBoundingClientRect = () => new DOMRect(0, 500, 10, 10)
  // The places below have come to lie on the button, those above are free.
  let isCovering = false
  document.elementsFromPoint = () => (isCovering && section.style.top === '' ? [button] : [])
  const ended = new AbortController()
  keepFree(section, ended.signal)
  const query = document.querySelector.bind(document)
  const pressed = vi
    .spyOn(document, 'querySelector')
    .mockImplementation((selector) => (selector === ':active' ? button : query(selector)))

  isCovering = true
  vi.advanceTimersByTime(CHECK_MS * 3)
  expect(section.style.top).toBe('')
  pressed.mockRestore()
  vi.advanceTimersByTime(CHECK_MS)
  expect(section.style.top).toContain('4.5rem')
  ended.abort()
})
