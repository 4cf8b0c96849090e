import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts about mail that does not arrive. */
export const mailNoticeMessages = {
  folder:
    'This server sends no email. It writes each one to a folder: ask the person who runs the server for the link.',
  written: 'The email was written to the server’s folder, not sent',
} as const satisfies Messages
