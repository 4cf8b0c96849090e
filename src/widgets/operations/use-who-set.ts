import { useQuery } from '@tanstack/react-query'
import { setBy } from '../../data/operations/conflict-fields.ts'
import { questionMessages as messages } from '../../data/operations/messages.ts'
import { recordIdOf, subjectOf } from '../../data/operations/operation-call.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { planUpdatesQuery } from '../../data/success-plans/queries.ts'
import type { Operation } from '../../sync/core/operation.ts'

/** Returns who set a field to `theirs`, if the server tells, and when, if an update on this device does. */
export function useWhoSet(operation: Operation): (field: string, theirs: unknown) => string {
  const id = recordIdOf(operation) ?? ''
  const ofPlan = subjectOf(operation) === 'success_plans'
  const updates = useQuery({ ...planUpdatesQuery(id), enabled: ofPlan }).data
  const people = usePeople()
  return (field, theirs) => {
    const user = operation.conflict?.changed_by?.[field]
    const update = ofPlan && updates ? setBy(updates, field, theirs) : undefined
    if (update === undefined && user === operation.user_id) return messages.otherDevice
    const name = people?.get(update?.user_id ?? String(user))?.name
    if (name === undefined) return messages.currentValue
    return update ? messages.by(name, update.written_at) : name
  }
}
