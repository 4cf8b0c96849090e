import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { recordsQuery } from '../../data/record-queries.ts'
import { compareText } from '../../ui/text/format.ts'

/**
 * The templates of the active organisation, sorted by title; undefined until the device or the server
 * has answered.
 */
export function useTemplates() {
  const query = useQuery(recordsQuery('templates'))
  const templates = useMemo(
    () => query.data?.toSorted((a, b) => compareText(a.title, b.title)),
    [query.data],
  )
  return { query, templates }
}
