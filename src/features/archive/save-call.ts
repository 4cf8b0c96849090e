import { endpoints } from '../../../contract/endpoints.ts'
import type { TemplateDraft } from '../../../contract/schemas/templates.ts'
import type { CallInput } from '../../../contract/offline.ts'
import { createTemplate } from '../../data/templates.ts'
import { sync } from '../../sync/client.ts'
import type { EndpointRow } from '../../sync/core/ports.ts'
import type { RestoreCall } from './restoring.ts'

/**
 * Queues one call of a restoration; resolves with the operation's id once it is durable. Templates cannot be
 * queued: they are created on the server at once.
 */
export async function saveCall({ call, input }: RestoreCall): Promise<string> {
  if (call === 'createTemplate') {
    const template = input.body as TemplateDraft & { id: string }
    await createTemplate(template)
    return template.id
  }
  const row: EndpointRow<CallInput, unknown> = endpoints[call]
  return (await sync().enqueue(row, input)).id
}
