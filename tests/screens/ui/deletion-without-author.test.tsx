// @vitest-environment jsdom
// At a server that does not say who has made a record, members could not delete their own ones.
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import * as current from '../../../src/data/current-session.ts'
import { useDeleteBlocker } from '../../../src/widgets/editing/use-delete-blocker.ts'
import { editingMessages as messages } from '../../../src/widgets/editing/messages.ts'
import { openOffline } from '../fixtures/offline-client.ts'

vi.mock(import('../../../src/data/current-session.ts'), () => ({ useCurrentSession: vi.fn() }))
beforeAll(openOffline)
afterEach(cleanup)

const blockerFor = (role: string, created_by: string | null) => {
  vi.mocked(current.useCurrentSession).mockReturnValue({
    user: { id: 'ann', superadmin: false },
    organisation: { id: 'north', user_id: 'bob', pivot: { role } },
  } as ReturnType<typeof current.useCurrentSession>)
  const { result } = renderHook(() => useDeleteBlocker('accounts'))
  return result.current({ id: 'a1', created_by })
}

test('a member may try to delete a record whose author the server does not name', () => {
  expect(blockerFor('member', null)).toBe(undefined)
})

test('a member cannot delete what another person has made, an admin can', () => {
  expect(blockerFor('member', 'ann')).toBe(undefined)
  expect(blockerFor('member', 'bob')).toBe(messages.deleteNotYours)
  expect(blockerFor('admin', 'bob')).toBe(undefined)
})
