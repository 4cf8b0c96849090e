// @vitest-environment jsdom
// A member who could not be read, or not yet, was called a former one.
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { personNamed, personText } from '../../../src/data/organisations/person-name.ts'
import { usePeople } from '../../../src/data/organisations/use-people.ts'
import { readNames } from '../../../src/features/export/read-names.ts'
import { useNames } from '../../../src/features/success-plans/use-names.ts'
import { sync } from '../../../src/sync/client.ts'
import type { ServerReport } from '../../../src/sync/core/pull/read-report.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(async () => {
  await openOffline()
  act(() => sync().capabilities.set('handover'))
})
const ALL_READ: ServerReport = { unread: [], refused: {}, notKept: {} }
// The engine publishes its own report when its start goes on.
const publish = (report: ServerReport) => vi.spyOn(sync().readReport, 'get').mockReturnValue(report)
beforeEach(() => void publish(ALL_READ))
afterEach(() => {
  cleanup()
  queryClient.clear()
})

const read = (collection: string, ids: readonly string[]) =>
  queryClient.setQueryData(
    queryKeyOf(activeScope(), 'collection', collection),
    ids.map((id) => ({ id, user_id: id, name: `Name of ${id}` })),
  )
/** What a screen shows for each of these users, by both ways of naming them. */
function shown(...ids: string[]) {
  const { result } = renderHook(() => ({ people: usePeople(), nameOf: useNames() }), {
    wrapper: QueryProvider,
  })
  const { people, nameOf } = result.current
  const texts = ids.map((id) => personText(people, id))
  expect(ids.map((id) => personNamed(nameOf, id))).toEqual(texts)
  return texts
}

test('while the members are not known, none is said to have left', () => {
  expect(shown('bob', 'eve')).toEqual(['Unknown member', 'Unknown member'])
})

test('a person who is not among the members has left, and has the name that the server keeps', () => {
  read('organisation_users', ['bob'])
  read('former_members', ['eve'])
  expect(shown('bob', 'eve', 'cleo')).toEqual(['Name of bob', 'Name of eve', 'A former member'])
})

const UNREAD = { collection: 'organisation_users', id: null, path: 'user_id', type: 'undefined' }

test.for<Partial<ServerReport>>([
  { refused: { organisation_users: 403 } },
  { unread: [{ ...UNREAD, reason: 'missing', leftOut: 'record' }] },
  { partial: ['organisation_users'] },
])('where a member may not have been read, none is said to have left: %o', async (part) => {
  read('organisation_users', ['bob'])
  publish({ ...ALL_READ, ...part })
  expect(shown('bob', 'eve')).toEqual(['Name of bob', 'Unknown member'])
  expect((await readNames())('organisation_users', 'eve')).toBe('eve')
  publish(ALL_READ)
  expect((await readNames())('organisation_users', 'eve')).toBe(undefined)
})
