// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { syncState } from '../../../src/app/sync-centre/sync-state.ts'

const waiting = { state: 'pending' }
const refused = { state: 'attention' }
const answered = { state: 'acknowledged' }

it('is quiet when nothing is pending', () => {
  expect(syncState('online', [], 0)).toEqual({ kind: 'quiet' })
  expect(syncState('online', [answered], 0)).toEqual({ kind: 'quiet' })
})

it('shows what needs attention even while offline', () => {
  expect(syncState('offline', [waiting, refused], 0)).toEqual({
    kind: 'attention',
    text: 'Needs attention',
    short: 'Attention',
  })
})

it('counts what is waiting while offline', () => {
  expect(syncState('offline', [], 0)).toEqual({
    kind: 'offline',
    text: 'Offline',
    short: 'Offline',
  })
  expect(syncState('offline', [waiting, answered, waiting], 0)).toEqual({
    kind: 'offline',
    text: 'Offline · 2 waiting',
    short: 'Offline · 2',
  })
})

it('tells sending from waiting', () => {
  expect(syncState('online', [waiting], 1)).toEqual({ kind: 'sending', text: 'Sending…' })
  expect(syncState('online', [waiting], 0)).toEqual({ kind: 'pending', text: '1 waiting' })
})

it('a server that is not understood is named as such, before what waits', () => {
  expect(syncState('not-understood', [], 0)).toEqual({
    kind: 'server',
    text: 'Server problem',
    short: 'Problem',
  })
  expect(syncState('not-understood', [waiting], 0)).toEqual({
    kind: 'server',
    text: 'Server problem · 1 waiting',
    short: 'Problem · 1',
  })
})

it('while everything is sent, it says that not everything could be read', () => {
  expect(syncState('online', [], 0, false)).toEqual({ kind: 'server', text: 'Not all shown' })
  expect(syncState('online', [waiting], 0, false)).toMatchObject({ kind: 'pending' })
})
