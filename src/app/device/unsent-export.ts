// What waits on this device as one text, so that it can be taken elsewhere when nothing else helps.
import { textOf, titleOf } from '../../data/operations/describe-operation.ts'
import { stateOf } from '../../widgets/operations/operation-state.tsx'
import { stateMessages } from '../../widgets/operations/messages.ts'
import type { Operation } from '../../sync/core/operation.ts'
import { exportMessages as messages } from './messages.ts'

interface ExportContext {
  /** Whose they are. */
  author: string
  /** What a record or a person is called. */
  nameOf: (id: string) => string | undefined
  /** What an organisation is called. */
  organisationOf: (id: string) => string | undefined
}

const NOT_SENDING: ReadonlySet<string> = new Set()

/**
 * A file with every operation: its title, organisation, time, state and all that was said, readable by
 * people. `now` in epoch milliseconds.
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
        last_error?.message,
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
