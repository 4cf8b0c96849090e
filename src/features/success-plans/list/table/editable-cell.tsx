import { useContext, type ReactNode } from 'react'
import { transitionsFrom } from '../../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../../contract/schemas/success-plans.ts'
import { storedAs, type EditedField } from '../../bulk/edited-field.ts'
import { CellContext } from './cells.tsx'
import { planMessages } from '../../messages.ts'
import { planCellMessages as messages } from './messages.ts'

interface EditableCellProps {
  plan: SuccessPlan
  field: EditedField
  /** The value. */
  children: ReactNode
}

/** A value that a click, Enter or F2 edits beside its cell. */
export function EditableCell({ plan, field, children }: EditableCellProps) {
  const { edit, keeps, nameOf } = useContext(CellContext)
  const empty =
    field === 'health' && plan.health === null
      ? planMessages.noHealth
      : field === 'owner' && nameOf('organisation_users', plan.owner_id) === undefined
        ? messages.noOwner
        : undefined
  const value =
    empty === undefined ? (
      children
    ) : (
      <>
        <span aria-hidden className="text-ink-faint">
          {planMessages.none}
        </span>
        <span className="sr-only">{empty}</span>
      </>
    )
  const isFinal = field === 'status' && transitionsFrom(plan.status).length === 0
  if (!edit || isFinal || !keeps(storedAs(field))) return value
  return (
    <button
      type="button"
      aria-haspopup={field === 'end_date' ? 'dialog' : 'menu'}
      title={messages.change[field]}
      onClick={({ currentTarget: anchor }) => edit({ plan, field, anchor })}
      onKeyDown={({ key, currentTarget: anchor }) => key === 'F2' && edit({ plan, field, anchor })}
      style={{ width: 'calc(100% + 1rem)' }}
      className="-mx-2 flex h-(--row) cursor-pointer items-center px-2 text-start -outline-offset-2 hover:bg-sunken"
    >
      {value}
    </button>
  )
}
