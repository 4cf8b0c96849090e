import type { Messages } from '../../../contract/text/catalogue.ts'

/** Shown when a change could only be saved because downloaded data was removed. */
export const roomMessages = {
  'other-organisations':
    'This device is full. To save your change, the downloaded data of your other organisations was removed.',
  partitions:
    'This device is full. To save your change, downloaded updates were removed. They are downloaded again when you are online.',
  organisation:
    'This device is full. To save your change, the downloaded data was removed. It is downloaded again when you are online.',
} as const satisfies Messages
