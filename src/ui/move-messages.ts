import type { Messages } from '../../contract/text/catalogue.ts'
import { sentence } from '../../contract/text/sentence.ts'

/** Texts of lists whose rows can be moved; the first screen has none. */
export const moveMessages = {
  move: (title: string) => sentence`Move “${title}”`,
  hint: 'Drag, press the arrow keys, or click for a menu',
  up: 'Move up',
  down: 'Move down',
  moved: (title: string, at: number, all: number) => sentence`“${title}” is now ${at} of ${all}`,
} as const satisfies Messages
