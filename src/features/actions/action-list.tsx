import type { ReactNode } from 'react'
import type { Action } from '../../../contract/schemas/actions.ts'
import { SortableList } from '../../ui/list/sortable-list.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { nextPosition, positionAt } from '../../data/position.ts'
import { useRecordKeys } from '../../data/record-id.ts'
import { recordStateKey, type RecordStates } from '../../data/record-states.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { ActionRow } from './action-row.tsx'
import { AddAction } from './add-action.tsx'
import { editAction } from '../../data/edit-action.ts'
import { actionMessages as messages } from './messages.ts'

interface ActionListProps {
  /** Title of the record they belong to. */
  of: string
  /** Sorted by position. */
  actions: readonly Action[]
  parents: { success_plan_id: string | null; initiative_id: string | null }
  contacts: React.ComponentProps<typeof ActionRow>['contacts']
  plan: React.ComponentProps<typeof ActionRow>['plan']
  today: string
  states: RecordStates
}

/** A list of actions to complete, reorder and extend. */
export function ActionList(props: ActionListProps) {
  const { of, actions, parents, contacts, plan, today, states } = props
  const keyOf = useRecordKeys('actions')
  const people = usePeople()

  function move(from: number, to: number) {
    const action = actions[from]
    if (!action) return
    editAction(action, { position: positionAt(actions, from, to) }).catch(() =>
      toast(messages.failed),
    )
  }

  const row = (action: Action, handle: ReactNode) => (
    <ActionRow
      action={action}
      assignee={people?.get(action.assignee_id ?? '')?.name ?? action.assignee_contact?.name}
      contacts={contacts}
      plan={plan}
      today={today}
      state={states.get(recordStateKey('actions', action.id))}
      handle={handle}
    />
  )

  return (
    <>
      <SortableList
        label={messages.listLabel(of)}
        items={actions}
        idOf={({ id }) => keyOf(id)}
        titleOf={({ title }) => title}
        onMove={move}
        row={row}
      />
      <AddAction of={of} target={{ ...parents, position: nextPosition(actions) }} />
    </>
  )
}
