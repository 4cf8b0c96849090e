import { expect, test } from 'vitest'
import { pushState, type PushFacts } from '../../src/features/profile/push-state.ts'

const FACTS: PushFacts = {
  supported: true,
  ios: false,
  installed: false,
  key: 'key',
  permission: 'default',
  subscribed: false,
}

test.each<[string, Partial<PushFacts>, ReturnType<typeof pushState>]>([
  ['a server that sends none has nothing to say', { key: null }, 'absent'],
  ['also not where the browser could', { key: null, permission: 'granted' }, 'absent'],
  ['a browser without Push says so', { supported: false }, 'unsupported'],
  ['on iOS the installation comes first', { supported: false, ios: true }, 'needs-install'],
  [
    'an old iOS has none even then',
    { supported: false, ios: true, installed: true },
    'unsupported',
  ],
  ['whoever was not asked may be asked', {}, 'ask'],
  ['an installed iOS may be asked', { ios: true, installed: true }, 'ask'],
  ['a no is not asked again', { permission: 'denied' }, 'denied'],
  ['a no outlasts a subscription', { permission: 'denied', subscribed: true }, 'denied'],
  ['allowed and turned off', { permission: 'granted' }, 'off'],
  ['allowed and on', { permission: 'granted', subscribed: true }, 'on'],
  ['on is on without a network', { permission: 'granted', subscribed: true, key: undefined }, 'on'],
  ['without a network nothing is promised', { key: undefined }, 'unasked'],
  ['a permission that was reset asks again', { subscribed: true }, 'ask'],
])('%s', (_name, facts, state) => {
  expect(pushState({ ...FACTS, ...facts })).toBe(state)
})
