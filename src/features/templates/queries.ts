import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Template } from '../../../contract/schemas/templates.ts'
import { collectionQuery } from '../../sync/react/query-options.ts'
import { compareText } from '../../ui/text/format.ts'

/** The templates of the active organisation by their titles; undefined until the device or the server has answered. */
export function useTemplates() {
  const query = useQuery(collectionQuery<Template>('templates'))
  const templates = useMemo(
    () => query.data?.toSorted((a, b) => compareText(a.title, b.title)),
    [query.data],
  )
  return { query, templates }
}
