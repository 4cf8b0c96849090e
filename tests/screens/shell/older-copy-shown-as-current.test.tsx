// @vitest-environment jsdom
// A record whose latest answer could not be read is shown as it was read before: the line below the
// heading must not say that it is up to date.
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { createSync, sync } from '../../../src/sync/client.ts'
import { DataAge } from '../../../src/widgets/screen-states/data-age.tsx'

const NOT_UP_TO_DATE = 'Not up to date'
const of = (id: string, leftOut: 'field' | 'record') => ({
  collection: 'accounts',
  path: 'name',
  type: 'number',
  id,
  leftOut,
  reason: 'missing' as const,
})
const report = (unread: ReturnType<typeof of>[], refused: Record<string, number> = {}) =>
  act(() => sync().readReport.set({ unread, refused, notKept: {} }))

beforeAll(() => {
  createSync(() => Promise.reject(new Error('No engine.')))
  sync().connection.set('online')
  sync().lastSyncedAt.set(Date.now())
})
afterEach(cleanup)

test('an unreadable record is marked as not up to date until it can be read', () => {
  render(<DataAge shows={{ collection: 'accounts', id: 'north' }} />)
  screen.getByText(/^Up to date/)
  report([of('south', 'record'), of('north', 'field')])
  screen.getByText(/^Up to date/)
  report([of('north', 'record')])
  screen.getByText(NOT_UP_TO_DATE)
  expect(screen.queryByText(/^Up to date/)).toBe(null)
  report([])
  screen.getByText(/^Up to date/)
})

test('a list that was refused is marked as not up to date', () => {
  render(<DataAge shows={{ collection: 'accounts' }} />)
  report([of('north', 'record')], { success_plans: 403 })
  screen.getByText(/^Up to date/)
  report([], { accounts: 403 })
  screen.getByText(NOT_UP_TO_DATE)
})

test('nothing is on its way from a server that does not answer as agreed', () => {
  act(() => sync().lastSyncedAt.set(null))
  render(<DataAge neverSynced="Getting your plans…" />)
  // What the device has is not known yet.
  expect(screen.queryByText('Getting your plans…')).toBe(null)
  act(() => sync().isStatusRead.set(true))
  screen.getByText('Getting your plans…')
  act(() => sync().connection.set('not-understood'))
  expect(screen.queryByText('Getting your plans…')).toBe(null)
})
