import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { collectionQuery } from '../../sync/react/query-options.ts'
import { useAllOperations } from '../../sync/react/use-sync.ts'
import { membersByUserQuery } from '../organisations/queries.ts'

interface Named {
  id: string
  name?: string
  title?: string
}

/**
 * What an id stands for: a person or a record of the active organisation, or what was made here and
 * not sent yet. Undefined for what is not on this device.
 */
export function useRecordNames(): (id: string) => string | undefined {
  const members = useQuery(membersByUserQuery()).data
  const accounts = useQuery(collectionQuery<Named>('accounts')).data
  const plans = useQuery(collectionQuery<Named>('success_plans')).data
  const initiatives = useQuery(collectionQuery<Named>('initiatives')).data
  const actions = useQuery(collectionQuery<Named>('actions')).data
  const operations = useAllOperations()
  return useCallback(
    (id) => {
      const member = members?.get(id)
      if (member) return member.name
      for (const records of [accounts, plans, initiatives, actions]) {
        const record = records?.find((one) => one.id === id)
        if (record) return record.name ?? record.title
      }
      for (const { endpoint, input } of operations) {
        const said = input.body as Named | undefined
        if (endpoint.startsWith('create') && said?.id === id) return said.title ?? said.name
      }
      return undefined
    },
    [members, accounts, plans, initiatives, actions, operations],
  )
}
