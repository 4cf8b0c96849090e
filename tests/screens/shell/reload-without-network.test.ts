// @vitest-environment jsdom
// Code is missing just after the network went away: a reload would end on the browser's own error page.
import { expect, test, vi } from 'vitest'
import { mayReload } from '../../../src/app/shell/reload.ts'

test('without a worker a page is not reloaded when the browser or the app says that it is offline', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get')
  onLine.mockReturnValue(true)
  expect([mayReload(true), mayReload(false)]).toEqual([true, false])
  onLine.mockReturnValue(false)
  expect(mayReload(true)).toBe(false)
})
