import { v5 } from 'uuid'
import { importMessages as messages } from './messages.ts'

/** Made once, for the ids of imports alone. Stored on servers by its results: never change it. */
const NAMESPACE = '0f6c7a52-52f5-4d6f-9d0b-6f6a1d8f2b7e'

/** An id that is always the same for these parts (UUID v5, RFC 9562), so that a repeated import makes nothing twice. */
export const importedId = (...parts: readonly string[]): string =>
  v5(JSON.stringify(parts), NAMESPACE)

/** The id of the update at that index that comes with an imported plan. */
export const planUpdateId = (plan_id: string, at: number): string =>
  importedId('update of', plan_id, String(at))

/** The text of an update without the line that names its author, and that line. */
export function withoutAuthor(body: string): { text: string; line: string | undefined } {
  const at = body.lastIndexOf('\n') + 1
  const line = body.slice(at)
  return line.startsWith(messages.writtenBy(''))
    ? { text: body.slice(0, at).trim(), line }
    : { text: body, line: undefined }
}

/**
 * The text of an update with the name of its author, who cannot be kept otherwise: the server attributes it
 * to the user who imports it. Unchanged if it names one already.
 */
export function namingAuthor(body: string, name: string): string {
  if (withoutAuthor(body).line !== undefined) return body
  return [body, messages.writtenBy(name)].filter((part) => part !== '').join('\n\n')
}
