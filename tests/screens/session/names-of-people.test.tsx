// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { personNamed, personText } from '../../../src/data/organisations/person-name.ts'
import { usePeople } from '../../../src/data/organisations/use-people.ts'
import { useNames } from '../../../src/features/success-plans/use-names.ts'
import { sync } from '../../../src/sync/client.ts'
import { activeScope } from '../../../src/sync/react/query-options.ts'
import { queryClient, queryKeyOf } from '../../../src/sync/react/query-client.ts'
import { QueryProvider } from '../../../src/sync/react/query-provider.tsx'
import { openOffline } from '../fixtures/offline-client.ts'

beforeAll(async () => {
  await openOffline()
  act(() => sync().capabilities.set('handover'))
})
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
