import { lazy, useMemo } from 'react'
import type { InitiativeWork } from '../../../data/initiatives.ts'
import { useCurrentIds } from '../../../data/record-id.ts'
import {
  BulkSelection,
  type SelectableRows,
  type Selecting,
} from '../../../ui/list/bulk/bulk-selection.tsx'
import type { RowContext } from '../initiative-table.tsx'
import { InlineEditor } from './inline-editor.tsx'
import { bulkInitiativeMessages as messages } from './messages.ts'

const BulkActions = lazy(async () => ({
  default: (await import('./bulk-actions.tsx')).BulkActions,
}))

interface BulkInitiativesProps extends Selecting {
  /** The initiatives that the list shows, in its order. */
  shown: readonly InitiativeWork[]
  all: readonly InitiativeWork[]
  context: RowContext
  /** Gets what the rows of the list offer, again after each change. Stable. */
  onRows: (rows: SelectableRows) => void
}

const withId = (work: InitiativeWork) => ({ ...work, id: work.initiative.id })

/** Selects initiatives of the list and changes them, many at once or a single one in its cell. */
export function BulkInitiatives({ shown, all, ...props }: BulkInitiativesProps) {
  const [listed, every] = useMemo(() => [shown.map(withId), all.map(withId)], [shown, all])
  return (
    <BulkSelection
      label={messages.bar}
      Actions={BulkActions}
      Editor={InlineEditor}
      shown={listed}
      all={every}
      idNow={useCurrentIds()}
      {...props}
    />
  )
}
