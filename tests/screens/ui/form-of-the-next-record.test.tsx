// @vitest-environment jsdom
// An address that asked for the form of a record that is gone opened the form of the record that was opened next.
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { useRowContext } from '../../../src/features/initiatives/use-row-context.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { usePreview } from '../../../src/ui/list/use-preview.ts'
import { waitFor } from '../../wait-for.ts'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
  await openOffline()
})
beforeEach(() => history.replaceState(null, '', '/initiatives?open=gone&edit&sort=title'))

const wrapper = ({ children }: { children: ReactNode }) => (
  <BrowserRouter>
    <QueryProvider>{children}</QueryProvider>
  </BrowserRouter>
)
const itself = (id: string) => id

test.each(['next', undefined])('the pane shows the record %s without its form', async (id) => {
  const { result } = renderHook(() => usePreview(itself), { wrapper })
  act(() => result.current?.show(id))
  await waitFor(() => expect(location.search).not.toContain('gone'))
  const search = new URLSearchParams(id === undefined ? {} : { open: id })
  search.set('sort', 'title')
  expect(location.search).toBe(`?${search}`)
})

test('a row of initiatives leads to its record without the form', () => {
  const { result } = renderHook(() => useRowContext([]), { wrapper })
  expect(result.current.searchOf('next')).toBe('open=next&sort=title')
})
