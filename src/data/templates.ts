import { endpoints } from '../../contract/endpoints.ts'
import type { Template, TemplateDraft, TemplateEdit } from '../../contract/schemas/templates.ts'
import { sync } from '../sync/client.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { activeScope, replicaOf } from '../sync/react/query-options.ts'
import { useOperations } from '../sync/react/use-sync.ts'
import { withoutDeleted } from './optimistic.ts'
import { recordsQuery } from './record-queries.ts'
import { compareText } from '../ui/text/format.ts'

/**
 * Creates a template on the server and pulls it. Idempotent by `id`. Throws a CallError.
 */
export async function createTemplate(body: TemplateDraft & { id: string }): Promise<void> {
  await sync().call(endpoints.createTemplate, { body })
  await sync().pull()
}

/** Edits a template on the server and pulls the result. Throws a CallError. */
export async function updateTemplate(id: string, body: TemplateEdit): Promise<void> {
  if (Object.keys(body).length === 0) return
  await sync().call(endpoints.updateTemplate, { path: { id }, body })
  await sync().pull()
}

/** The templates of the active organisation as the device has them; none where it has none. */
export const storedTemplates = async (): Promise<readonly Template[]> =>
  ((await (await replicaOf(activeScope())).collection('templates')) as Template[] | undefined) ?? []

/**
 * The templates of the active organisation without those being deleted, sorted by title; undefined while loading.
 */
export function useTemplates() {
  const query = useQuery(recordsQuery('templates'))
  const operations = useOperations()
  const templates = useMemo(
    () =>
      query.data &&
      withoutDeleted('templates', query.data, operations).toSorted((a, b) =>
        compareText(a.title, b.title),
      ),
    [query.data, operations],
  )
  return { query, templates }
}
