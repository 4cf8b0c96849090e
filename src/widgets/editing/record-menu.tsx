import { Ellipsis, Pencil, Trash2, type LucideIcon } from 'lucide-react'
import type { ResourceWith } from '../../../contract/resources.ts'
import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useSingleKeys } from '../keys/use-single-keys.ts'
import { useDeleteBlocker } from './use-delete-blocker.ts'
import { editingMessages as messages } from './messages.ts'

const DeleteDialog = lazy(async () => ({
  default: (await import('./delete-dialog.tsx')).DeleteDialog,
}))

interface RecordMenuProps {
  record: { id: string; created_by: string | null }
  /** The record's title. */
  title: string
  resource: ResourceWith<'create'>
  /** Why it cannot be deleted, for any user; and why it cannot be edited. */
  deleteBlocker?: string | undefined
  editBlocker?: string | undefined
  /** What is deleted with it; undefined if nothing is, so that deleting it asks nothing. */
  consequence?: string
  onEdit: () => unknown
  /** Called when the deletion is durable on this device. */
  onDeleted?: () => unknown
  /** Further items, between editing and deleting. */
  items?: readonly {
    label: string
    icon?: LucideIcon
    unavailable?: string | undefined
    onSelect: () => void
  }[]
}

/** The actions of a record: edit and delete, and `items`. */
export function RecordMenu(props: RecordMenuProps) {
  const { record, title, resource, consequence, onEdit, onDeleted, items = [] } = props
  const [deleting, setDeleting] = useState(false)
  const hasKeys = useSingleKeys()
  const unavailable = useDeleteBlocker(resource)(record) ?? props.deleteBlocker
  const deleted = { resource, title, record }
  return (
    <>
      <Menu
        label={messages.moreFor(title)}
        className={`${buttonClass('quiet')} px-2.5!`}
        items={[
          {
            label: messages.edit,
            icon: Pencil,
            shortcut: 'e',
            keys: hasKeys ? 'E' : undefined,
            unavailable: props.editBlocker,
            onSelect: () => void onEdit(),
          },
          ...items,
          {
            label: messages.delete,
            icon: Trash2,
            danger: true,
            apart: true,
            unavailable,
            onSelect: () =>
              consequence === undefined
                ? void import('./delete-record.ts').then(({ deleteAtOnce }) =>
                    deleteAtOnce(deleted),
                  )
                : setDeleting(true),
          },
        ]}
      >
        <Ellipsis aria-hidden />
      </Menu>
      {deleting && consequence !== undefined && (
        <Suspense>
          <DeleteDialog
            record={deleted}
            consequence={consequence}
            unavailable={unavailable}
            onDeleted={() => {
              setDeleting(false)
              onDeleted?.()
            }}
            onClose={() => setDeleting(false)}
          />
        </Suspense>
      )}
    </>
  )
}
