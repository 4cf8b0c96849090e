import { useQuery } from '@tanstack/react-query'
import { resourceNames, resourceOf } from '../../../contract/resources.ts'
import { useAllOperations } from '../../sync/react/use-sync.ts'
import { createdRecordId, kindOf } from './operation-call.ts'
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

/**
 * Returns a function from an id to the name of a member or record of the active organisation,
 * including queued creates. It returns undefined for ids that are not on this device.
 */
export function useRecordNames(): (id: string) => string | undefined {
  const people = usePeople()
  const stored: (readonly Named[] | undefined)[] = []
  for (const name of NAMED) {
    // The same calls in each render, since the list never changes.
    // oxlint-disable-next-line react/hooks
    stored.push(useQuery(recordsQuery(name)).data)
  }
  const operations = useAllOperations()
  return (id) => {
    const member = people?.get(id)
    if (member) return member.name
    for (const records of stored) {
      const record = records?.find((one) => one.id === id)
      if (record) return record.name ?? record.title
    }
    const creation = operations.find(
      (operation) => kindOf(operation) === 'create' && createdRecordId(operation) === id,
    )
    const created = creation?.input.body as Named | undefined
    return created?.title ?? created?.name
  }
}
