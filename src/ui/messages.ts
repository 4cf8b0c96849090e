import type { Messages } from '../../contract/text/catalogue.ts'
import { sentence } from '../../contract/text/sentence.ts'

/** Texts of the UI components themselves. */
export const uiMessages = {
  close: 'Close',
  dismiss: 'Dismiss',
  notifications: 'Notifications',
  optional: 'optional',
  opensNew: '(opens in a new tab)',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  move: (title: string) => sentence`Move “${title}”`,
  moveHint: 'Drag, press the arrow keys, or click for a menu',
  moveUp: 'Move up',
  moveDown: 'Move down',
  moved: (title: string, at: number, all: number) => sentence`“${title}” is now ${at} of ${all}`,
} as const satisfies Messages
