import type { Messages } from '../../../contract/text/catalogue.ts'
import { formatCount } from '../../ui/text/format.ts'

/**
 * Shown when a change could only be saved because downloaded data was removed, or when the browser itself has
 * lost it.
 */
export const roomMessages = {
  'other-organisations':
    'This device is full. To save your change, the downloaded data of your other organisations was removed.',
  partitions:
    'This device is full. To save your change, downloaded updates were removed. They are downloaded again when you are online.',
  organisation:
    'This device is full. To save your change, the downloaded data was removed. It is downloaded again when you are online.',
  restored: (changes: number) =>
    `The browser lost the data of this app. Not sent, and back: ${formatCount(changes, 'change')}.`,
} as const satisfies Messages
