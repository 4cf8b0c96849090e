import { useQuery } from '@tanstack/react-query'
import { resourceNames, resourceOf, type ResourceName } from '../../../contract/resources.ts'
import { useAllOperations } from '../../sync/react/use-sync.ts'
import type { NameOf } from '../record-id.ts'
import { createdRecordId, kindOf, subjectOf } from './operation-call.ts'
import { hasLeft } from '../organisations/person-name.ts'
import { usePeople } from '../organisations/use-people.ts'
import { recordsQuery } from '../record-queries.ts'

interface Named {
  id: string
  name?: string
  title?: string
}

/** Resources whose records have names. People are looked up by user id instead. */
const NAMED = resourceNames.filter(
  (name) =>
    name !== 'organisation_users' &&
    name !== 'former_members' &&
    resourceOf(name).title !== undefined,
)

/** Names the people and records of the active organisation that are on this device, and queued creates. */
export function useRecordNames(): NameOf {
  const people = usePeople()
  const stored = new Map<ResourceName, readonly Named[] | undefined>()
  for (const name of NAMED) {
    // The same calls in each render, since the list never changes.
    // oxlint-disable-next-line react/hooks
    stored.set(name, useQuery(recordsQuery(name)).data)
  }
  const operations = useAllOperations()
  return (of, id) => {
    if (of === 'organisation_users') return people?.get(id ?? '')?.name
    if (of === 'former_members') return hasLeft(people, id) ? '' : undefined
    const record = stored.get(of)?.find((one) => one.id === id)
    if (record) return record.name ?? record.title
    const creation = operations.find(
      (operation) =>
        subjectOf(operation) === of &&
        kindOf(operation) === 'create' &&
        createdRecordId(operation) === id,
    )
    const created = creation?.input.body as Named | undefined
    return created?.title ?? created?.name
  }
}
