/** The states of what was said here and is on its way: the same words on every screen. */
export const stateWords = {
  saving: 'Saving',
  saved: 'Saved on this device',
  sending: 'Sending',
  sent: 'Sent',
  attention: 'Needs attention',
  'signed-out': 'Waiting for sign-in',
} as const

export type OperationState = keyof typeof stateWords

/** What can be done with something that waits. */
export const operationWords = {
  retry: 'Send again',
  discard: 'Discard',
  discardTitle: 'Discard this?',
  discardText:
    'The server does not have it, and it exists nowhere else. What depends on it, such as updates of a new plan, is discarded too.',
  /** Tried, and no answer came: the server may have it. */
  inDoubt: 'It may have arrived already. What became of it is known once the server answers.',
  keep: 'Keep it',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying was refused by the browser. Select the text and copy it by hand.',
  serverSaid: (words: string) => `The server said: ${words}`,
} as const
