import { endpoints } from '../../contract/endpoints.ts'
import type { Template, TemplateDraft, TemplateEdit } from '../../contract/schemas/templates.ts'
import { CallError, sync } from '../sync/client.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { activeScope, replicaOf } from '../sync/react/query-options.ts'
import { useOperations } from '../sync/react/use-sync.ts'
import { withoutDeleted } from './optimistic.ts'
import { recordsQuery } from './record-queries.ts'
import { compareText } from '../ui/text/format.ts'

/**
 * Creates a template on the server and pulls it. Idempotent: resolves to the existing one with that `id`. Throws a
 * CallError.
 */
export async function createTemplate(body: TemplateDraft & { id: string }): Promise<Template> {
  const made = await sync().call(endpoints.createTemplate, { body })
  await sync().pull()
  return made
}

/**
 * Edits a template on the server and pulls the result. Where others have set the same fields since it was `seen`,
 * writes nothing and resolves to the template as it is now. `sent` is what earlier attempts have sent, whose answers
 * may have been lost. Throws a CallError.
 */
export async function updateTemplate(
  seen: Template,
  body: TemplateEdit,
  sent: TemplateEdit = {},
): Promise<Template | undefined> {
  const { id } = seen
  const names = Object.keys(body) as (keyof TemplateEdit)[]
  if (names.length === 0) return undefined
  try {
    await sync().call(endpoints.updateTemplate, { path: { id }, body, version: seen.version })
  } catch (problem) {
    if (!(problem instanceof CallError) || problem.status !== 412) throw problem
    await sync().pull()
    const current = (await storedTemplates()).find((one) => one.id === id)
    if (!current || current.version === seen.version) throw problem
    const isKnown = (name: keyof TemplateEdit) =>
      [seen, body, sent].some(
        (known) => JSON.stringify(known[name]) === JSON.stringify(current[name]),
      )
    return names.every(isKnown) ? await updateTemplate(current, body) : current
  }
  await sync().pull()
  return undefined
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
