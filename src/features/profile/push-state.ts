// The state of notifications in this browser. Pure.

/** What the state of notifications depends on. */
export interface PushFacts {
  /** Push, notifications and a service worker are available. */
  supported: boolean
  /** iOS allows notifications only in the installed app. */
  ios: boolean
  installed: boolean
  /** The server's public key; null if it sends none, undefined before it was asked. */
  key: string | null | undefined
  permission: NotificationPermission
  /** This browser is subscribed. */
  subscribed: boolean
}

/** `absent`: the server sends no notifications. `unasked`: the server could not be reached. */
export type PushState =
  | 'absent'
  | 'unasked'
  | 'unsupported'
  | 'needs-install'
  | 'ask'
  | 'denied'
  | 'off'
  | 'on'

/** The state to show, with the action it offers. */
export function pushState(facts: PushFacts): PushState {
  const { supported, ios, installed, key, permission, subscribed } = facts
  if (key === null) return 'absent'
  if (!supported) return ios && !installed ? 'needs-install' : 'unsupported'
  if (permission === 'denied') return 'denied'
  if (subscribed && permission === 'granted') return 'on'
  if (key === undefined) return 'unasked'
  return permission === 'granted' ? 'off' : 'ask'
}
