import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import { resourceNames, resourceOf, type ResourceName } from '../../../contract/resources.ts'
import { collectionQuery } from '../../sync/react/query-options.ts'
import { createdRecordId, kindOf } from '../operation-call.ts'
import { useAllOperations } from '../../sync/react/use-sync.ts'
import { membersByUserQuery } from '../organisations/queries.ts'

interface Named {
  id: string
  name?: string
  title?: string
}

/** Members are named by their users' ids, and apart from the others. */
const NAMED = resourceNames.filter(
  (name) => resourceOf(name).title !== null && name !== 'organisation_users',
)
const namedQuery = (name: ResourceName) => collectionQuery<Named>(name)
const dataOf = (queries: UseQueryResult<Named[]>[]) => queries.map(({ data }) => data)

/**
 * What an id stands for: a person or a record of the active organisation, or what was made here and
 * not sent yet. Undefined for what is not on this device.
 */
export function useRecordNames(): (id: string) => string | undefined {
  const members = useQuery(membersByUserQuery()).data
  const collections = useQueries({ queries: NAMED.map(namedQuery), combine: dataOf })
  const operations = useAllOperations()
  return useCallback(
    (id) => {
      const member = members?.get(id)
      if (member) return member.name
      for (const records of collections) {
        const record = records?.find((one) => one.id === id)
        if (record) return record.name ?? record.title
      }
      const creation = operations.find(
        (one) => kindOf(one) === 'create' && createdRecordId(one) === id,
      )
      const created = creation?.input.body as Named | undefined
      return created?.title ?? created?.name
    },
    [members, collections, operations],
  )
}
