import { expect, test } from 'vitest'
import type { UnreadValue } from '../../../contract/schemas/read-records.ts'
import { notKeptLines, unreadLines } from '../../../src/app/sync-centre/unread-lines.ts'

const unread = (more: Partial<UnreadValue>): UnreadValue => ({
  collection: 'success_plans',
  id: '1',
  path: 'end_date',
  reason: 'date',
  type: 'string',
  leftOut: 'record',
  ...more,
})

test('each field is said once, with the number of its records', () => {
  expect(
    unreadLines({
      unread: [
        unread({}),
        unread({ id: '2' }),
        unread({ id: '3', leftOut: 'field' }),
        unread({
          collection: 'accounts',
          path: 'contacts.0.email',
          reason: 'text',
          leftOut: 'field',
        }),
        unread({
          collection: 'accounts',
          path: 'contacts.1.email',
          reason: 'text',
          leftOut: 'field',
        }),
        unread({ collection: 'actions', path: 'title', reason: 'missing' }),
        unread({ collection: 'of_a_newer_build', id: null, path: '', reason: 'record' }),
      ],
      refused: { organisation_users: 403 },
    }),
  ).toEqual([
    '2 plans could not be shown: “end_date” is not a date.',
    '1 plan is shown without “end_date”: it is not a date.',
    '2 accounts are shown without “contacts”: it is not text.',
    '1 action could not be shown: “title” is missing.',
    '1 record could not be shown.',
    'Members could not be read: the server answered 403.',
  ])
})

test('nothing is said where everything could be read', () => {
  expect(unreadLines({ unread: [], refused: {} })).toEqual([])
})

test('fields that the server does not keep are said once for each collection', () => {
  const notKept = { accounts: ['notes', 'tags'], success_plans: ['description'] }
  expect(notKeptLines({ unread: [], refused: {}, notKept })).toEqual([
    'Accounts: Notes and Tags',
    'Plans: Description',
  ])
})
