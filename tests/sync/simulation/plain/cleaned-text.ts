// The words by which a text is known wherever it is: servers clean texts.
import { sanitise } from '../../../plain-server/plain-records.ts'

/** A text without what a server cleans away. Some escape an ampersand with each write. */
export const cleaned = (text: string): string => sanitise(text).replaceAll(/&(?:amp;)+/g, '&')
