import { v5 } from 'uuid'
import { importMessages as messages } from './messages.ts'

/** Made once, for the ids of imports alone. Stored on servers by its results: never change it. */
const NAMESPACE = '0f6c7a52-52f5-4d6f-9d0b-6f6a1d8f2b7e'

/** An id that is always the same for these parts (UUID v5, RFC 9562), so that a repeated import makes nothing twice. */
export const importedId = (...parts: readonly string[]): string =>
  v5(JSON.stringify(parts), NAMESPACE)

/**
 * The text of an update with the name of its author, who cannot be kept otherwise: the server attributes it
 * to the user who imports it. Unchanged if it names one already.
 */
export function namingAuthor(body: string, name: string): string {
  const last = body.slice(body.lastIndexOf('\n') + 1)
  if (last.startsWith(messages.writtenBy(''))) return body
  return [body, messages.writtenBy(name)].filter((part) => part !== '').join('\n\n')
}
