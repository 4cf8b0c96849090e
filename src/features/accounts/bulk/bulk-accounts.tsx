import { lazy } from 'react'
import type { Account } from '../../../../contract/schemas/accounts.ts'
import { useCurrentIds } from '../../../data/record-id.ts'
import {
  BulkSelection,
  type SelectableRows,
  type Selecting,
} from '../../../ui/list/bulk/bulk-selection.tsx'
import type { BulkField } from './change-accounts.ts'
import { InlineEditor } from './inline-editor.tsx'
import { bulkAccountMessages as messages } from './messages.ts'

const BulkActions = lazy(async () => ({
  default: (await import('./bulk-actions.tsx')).BulkActions,
}))

interface BulkAccountsProps extends Selecting {
  /** The accounts that the list shows, in its order. */
  shown: readonly Account[]
  all: readonly Account[]
  /** The fields that can be changed. */
  fields: readonly BulkField[]
  /** Gets what the rows of the list offer, again after each change. Stable. */
  onRows: (rows: SelectableRows) => void
}

/** Selects accounts of a list and changes them, many at once or a single one in its cell. */
export function BulkAccounts({ fields, ...props }: BulkAccountsProps) {
  return (
    <BulkSelection
      label={messages.bar}
      Actions={BulkActions}
      Editor={InlineEditor}
      context={fields}
      idNow={useCurrentIds()}
      {...props}
    />
  )
}
