import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { useCapability } from '../../sync/react/use-sync.ts'
import { membersQuery } from '../../data/organisations/queries.ts'
import { ConfirmDialog } from '../../widgets/editing/confirm-dialog.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { compareText, formatList } from '../../ui/text/format.ts'
import { handOverMessages as messages } from './hand-over-messages.ts'
import { useWork } from './work.ts'

interface HandOverDialogProps {
  /** The user who leaves, and whether this is the one at the device. */
  user_id: string
  isMe: boolean
  organisation: Organisation
  title: string
  action: string
  children: ReactNode
  unavailable: string | undefined
  /** Ends the membership, or throws a CallError. Without an heir there is nothing to hand over. */
  onConfirm: (heir_id: string | undefined) => Promise<void>
  onClose: () => void
}

/**
 * Asks before a membership ends who takes over the work, and how much it is. A server that cannot hand it over is
 * not asked: then it says so.
 */
export function HandOverDialog(props: HandOverDialogProps) {
  const { user_id, isMe, organisation, children, onConfirm, ...dialog } = props
  const members = useQuery(membersQuery()).data
  const { known, unknown } = useWork(user_id)
  const canHandOver = useCapability('handover')
  const heirs = (members ?? [])
    .filter((member) => member.user_id !== user_id)
    .toSorted((a, b) => compareText(a.name, b.name))
  const owner = heirs.find((member) => member.user_id === organisation.user_id)
  const [chosen, setChosen] = useState<string>()
  const heir = chosen ?? (owner ?? heirs[0])?.user_id
  const mayHaveWork = known.length > 0 || unknown.length > 0
  return (
    <ConfirmDialog
      {...dialog}
      onConfirm={() => onConfirm(mayHaveWork && canHandOver ? heir : undefined)}
    >
      {children}
      <p className="mt-2">{canHandOver ? messages.nameStays(isMe) : messages.nameGoes(isMe)}</p>
      <p className="mt-4 text-ink">
        {[
          known.length > 0 && messages.has(isMe, formatList(known)),
          unknown.length > 0 && messages.notKnown(isMe, formatList(unknown)),
          !mayHaveWork && messages.hasNothing(isMe),
          mayHaveWork && !canHandOver && messages.serverDecides,
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {mayHaveWork && canHandOver && (
        <div className="mt-3">
          <SelectField
            label={messages.heir}
            value={heir}
            onChange={({ target }) => setChosen(target.value)}
          >
            {heirs.map((member) => (
              <option key={member.user_id} value={member.user_id}>
                {member === owner ? messages.owner(member.name) : member.name}
              </option>
            ))}
          </SelectField>
        </div>
      )}
    </ConfirmDialog>
  )
}
