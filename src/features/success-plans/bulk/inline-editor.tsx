import { useState } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useOutboxRead } from '../../../sync/react/use-sync.ts'
import { MenuAt } from '../../../ui/overlay/menu-panel.tsx'
import type { ViewContext } from '../list/view.ts'
import { DayPopover } from './day-popover.tsx'
import { useChange } from './use-change.tsx'
import type { EditedField } from './edited-field.ts'
import { useChoices } from './use-choices.ts'
import { bulkMessages as messages } from './messages.ts'

/** A cell of the table that is being edited. */
export interface EditedCell {
  plan: SuccessPlan
  field: EditedField
  /** The button in the cell. */
  anchor: HTMLElement
}

type InlineEditorProps = EditedCell & Pick<ViewContext, 'nameOf'>

/** Edits one cell beside it, once it is known which edits of the plan are stored. Must have a `key` per edit. */
export function InlineEditor(props: InlineEditorProps) {
  return useOutboxRead() ? <OpenEditor {...props} /> : null
}

function OpenEditor({ plan: now, field, anchor, nameOf }: InlineEditorProps) {
  const [isOpen, setOpen] = useState(true)
  // What others change meanwhile has not been seen.
  const [plan] = useState(now)
  const [plans] = useState([plan])
  const { choose, dialog } = useChange(plans, () => anchor.focus())
  const choices = useChoices(plans, choose)
  const close = () => setOpen(false)
  if (!isOpen) return dialog
  if (field === 'end_date')
    return (
      <DayPopover
        plan={plan}
        anchor={anchor}
        onSave={(end_date) => choose({ kind: 'end', end_date })}
        onClose={close}
      />
    )
  const label = {
    owner: messages.ownerOf(plan.title, nameOf('organisation_users', plan.owner_id)),
    status: messages.statusOf(plan.title, plan.status),
    health: messages.healthOf(plan.title, plan.health),
  }[field]
  return (
    <>
      <MenuAt anchor={anchor} label={label} items={choices[field]} onClose={close} />
      {dialog}
    </>
  )
}
