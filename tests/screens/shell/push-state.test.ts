import { expect, test } from 'vitest'
import { pushState, type PushFacts } from '../../../src/features/profile/push-state.ts'

const FACTS: PushFacts = {
  supported: true,
  ios: false,
  installed: false,
  key: 'key',
  permission: 'default',
  subscribed: false,
}

test.each<[string, Partial<PushFacts>, ReturnType<typeof pushState>]>([
  ['is absent when the server sends no push messages', { key: null }, 'absent'],
  [
    'is absent without a server key even where permission was granted',
    { key: null, permission: 'granted' },
    'absent',
  ],
  ['is unsupported in a browser without Push', { supported: false }, 'unsupported'],
  ['needs installation first on iOS', { supported: false, ios: true }, 'needs-install'],
  [
    'is unsupported in an installed app on an old iOS',
    { supported: false, ios: true, installed: true },
    'unsupported',
  ],
  ['asks when permission was never requested', {}, 'ask'],
  ['asks in an installed app on iOS', { ios: true, installed: true }, 'ask'],
  ['does not ask again after a denial', { permission: 'denied' }, 'denied'],
  [
    'is denied although a subscription remains',
    { permission: 'denied', subscribed: true },
    'denied',
  ],
  ['is off when permitted and not subscribed', { permission: 'granted' }, 'off'],
  ['is on when permitted and subscribed', { permission: 'granted', subscribed: true }, 'on'],
  ['stays on without a network', { permission: 'granted', subscribed: true, key: undefined }, 'on'],
  ['offers nothing before the server’s key is known', { key: undefined }, 'unasked'],
  ['asks again after the permission was reset', { subscribed: true }, 'ask'],
])('%s', (_name, facts, state) => {
  expect(pushState({ ...FACTS, ...facts })).toBe(state)
})
