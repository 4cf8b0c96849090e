// Exports pending operations as text, so that the work can be taken elsewhere.
import { textOf, titleOf } from '../../data/operations/describe-operation.ts'
import type { NameOf } from '../../data/record-id.ts'
import { stateOf } from '../../widgets/operations/operation-state.tsx'
import { stateMessages } from '../../widgets/operations/messages.ts'
import { rejectionReason } from '../../widgets/operations/rejection-reasons.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { exportMessages as messages } from './messages.ts'

interface ExportContext {
  /** Name of the user who queued them. */
  author: string
  /** Name of a record or a person by id; undefined if unknown. */
  nameOf: NameOf
  /** Name of an organisation by id; undefined if unknown. */
  organisationOf: (id: string) => string | undefined
}

/** In the words of the screens, where the server had none. */
const whyNot = (operation: Operation, organisation = '') =>
  rejectionReason(operation, { organisation, managers: [], is_owner: false }).text

const NOT_SENDING: ReadonlySet<string> = new Set()

/**
 * A readable text file with every operation: title, organisation, time, state and content. `now` in
 * epoch milliseconds.
 */
export function unsentExport(
  operations: readonly Operation[],
  { author, nameOf, organisationOf }: ExportContext,
  now = Date.now(),
): { name: string; text: string } {
  const entries = operations.map((operation, at) => {
    const { organisation_id, created_at, last_error } = operation
    const organisation =
      organisation_id === null ? undefined : (organisationOf(organisation_id) ?? messages.elsewhere)
    return [
      `${at + 1}. ${titleOf(operation, nameOf)}`,
      [
        organisation,
        messages.written(created_at),
        stateMessages[stateOf(operation, NOT_SENDING)],
        last_error && (last_error.message || whyNot(operation, organisation)),
      ]
        .filter(Boolean)
        .join(' · '),
      '',
      textOf(operation, nameOf),
    ].join('\n')
  })
  const head = [messages.title, messages.by(author, now), messages.many(operations.length)].join(
    '\n',
  )
  return { name: messages.name(now), text: `${[head, ...entries].join('\n\n----\n\n')}\n` }
}
