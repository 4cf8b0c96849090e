// Texts of deletions, which are loaded with the first one.
import type { Messages } from '../../../contract/text/catalogue.ts'
import { sentence } from '../../../contract/text/sentence.ts'

export const deleteMessages = {
  title: (title: string) => sentence`Delete “${title}”?`,
  undoable: 'You can undo this until it is sent.',
  deleted: (title: string) => sentence`“${title}” was deleted`,
  undo: 'Undo',
  undone: (title: string) => sentence`“${title}” is back`,
  tooLate: (title: string) => sentence`“${title}” has been deleted on the server already`,
  failed: 'This could not be saved on this device. Nothing has changed.',
} as const satisfies Messages
