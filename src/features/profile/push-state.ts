// What can be said of notifications in this browser. Pure.

export interface PushFacts {
  /** The browser has Push, notifications and a worker here. */
  supported: boolean
  /** On iOS they come with the installation. */
  ios: boolean
  installed: boolean
  /** The server's key; null where it sends none, undefined while it has not been asked. */
  key: string | null | undefined
  permission: NotificationPermission
  /** This browser is subscribed. */
  subscribed: boolean
}

/** `absent`: the server has none to send. `unasked` could not be asked whether it has. */
export type PushState =
  | 'absent'
  | 'unasked'
  | 'unsupported'
  | 'needs-install'
  | 'ask'
  | 'denied'
  | 'off'
  | 'on'

/** The one thing to say, and to offer. */
export function pushState(facts: PushFacts): PushState {
  const { supported, ios, installed, key, permission, subscribed } = facts
  if (key === null) return 'absent'
  if (!supported) return ios && !installed ? 'needs-install' : 'unsupported'
  if (permission === 'denied') return 'denied'
  if (subscribed && permission === 'granted') return 'on'
  if (key === undefined) return 'unasked'
  return permission === 'granted' ? 'off' : 'ask'
}
