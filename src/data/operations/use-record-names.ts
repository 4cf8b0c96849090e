import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ResourceName, resources } from '../../../contract/resources.ts'
import { useAllOperations } from '../../sync/react/use-sync.ts'
import { createdRecordId, kindOf } from './operation-call.ts'
import { membersByUserQuery } from '../organisations/queries.ts'
import { recordsQuery } from '../record-queries.ts'

interface Named {
  id: string
  name?: string
  title?: string
}

/** Resources whose records have names. Members are looked up by user id instead. */
type NamedResource = {
  [R in ResourceName]: (typeof resources)[R] extends { title: string } ? R : never
}[Exclude<ResourceName, 'organisation_users'>]

/**
 * Returns a function from an id to the name of a member or record of the active organisation,
 * including queued creates. It returns undefined for ids that are not on this device.
 */
export function useRecordNames(): (id: string) => string | undefined {
  const members = useQuery(membersByUserQuery()).data
  const accounts = useQuery(recordsQuery('accounts')).data
  const success_plans = useQuery(recordsQuery('success_plans')).data
  const initiatives = useQuery(recordsQuery('initiatives')).data
  const actions = useQuery(recordsQuery('actions')).data
  const templates = useQuery(recordsQuery('templates')).data
  const operations = useAllOperations()
  return useCallback(
    (id) => {
      const member = members?.get(id)
      if (member) return member.name
      const stored: Record<NamedResource, readonly Named[] | undefined> = {
        accounts,
        success_plans,
        initiatives,
        actions,
        templates,
      }
      for (const records of Object.values(stored)) {
        const record = records?.find((one) => one.id === id)
        if (record) return record.name ?? record.title
      }
      const creation = operations.find(
        (operation) => kindOf(operation) === 'create' && createdRecordId(operation) === id,
      )
      const created = creation?.input.body as Named | undefined
      return created?.title ?? created?.name
    },
    [members, accounts, success_plans, initiatives, actions, templates, operations],
  )
}
