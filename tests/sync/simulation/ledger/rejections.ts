// What justifies that an operation needs attention: a rejection that the server really gave.
import type { NetworkRequest } from '../../../../src/sync/core/ports.ts'
import type { ServerAnswer } from '../model-tenant.ts'
import type { Fields } from '../record-types.ts'

/** Whether the server itself rejected a request, for good. */
export const isRejection = ({ status, headers }: ServerAnswer): boolean =>
  status >= 400 &&
  status < 500 &&
  ![401, 408, 425, 429].includes(status) &&
  headers['retry-after'] === undefined

/** Whether a create was answered with a record that has another text. */
export function isOtherText(
  { method, body }: NetworkRequest,
  { status, text }: ServerAnswer,
): boolean {
  if (method !== 'POST' || status >= 300 || text === '') return false
  const sent = JSON.parse(body ?? '{}') as Fields
  const { data = {} } = JSON.parse(text) as { data?: Fields }
  const name = ['body', 'title', 'name'].find((one) => one in data) ?? 'body'
  return (sent[name] ?? '') !== data[name]
}
