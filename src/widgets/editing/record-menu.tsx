import { Ellipsis, Pencil, Trash2, type LucideIcon } from 'lucide-react'
import type { ResourceWith } from '../../../contract/resources.ts'
import { lazy, Suspense, useState } from 'react'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useDeleteBlocker } from './use-delete-blocker.ts'
import { editingMessages as messages } from './messages.ts'

const DeleteDialog = lazy(async () => ({
  default: (await import('./delete-dialog.tsx')).DeleteDialog,
}))

interface RecordMenuProps {
  record: { id: string; created_by: string | null }
  /** What it is called. */
  title: string
  resource: ResourceWith<'create'>
  /** Why this one cannot be deleted, whoever asks; and why it cannot be edited. */
  deleteBlocker?: string | undefined
  fixed?: string | undefined
  /** What goes with it when it is deleted. */
  consequence: string
  onEdit: () => unknown
  /** Deletes it on the server and here, or throws a CallError. */
  onDelete: () => Promise<void>
  onDeleted?: () => unknown
  /** What else can be done, between editing and deleting. */
  items?: readonly {
    label: string
    icon?: LucideIcon
    unavailable?: string | undefined
    onSelect: () => void
  }[]
}

/** What can be done with a record: edit it, delete it. */
export function RecordMenu(props: RecordMenuProps) {
  const { record, title, consequence, onEdit, onDelete, onDeleted, items = [] } = props
  const [deleting, setDeleting] = useState(false)
  const unavailable = useDeleteBlocker(props.resource)(record) ?? props.deleteBlocker
  return (
    <>
      <Menu
        label={messages.moreFor(title)}
        className={`${buttonClass('quiet')} px-2.5!`}
        items={[
          {
            label: messages.edit,
            icon: Pencil,
            unavailable: props.fixed,
            onSelect: () => void onEdit(),
          },
          ...items,
          {
            label: messages.delete,
            icon: Trash2,
            danger: true,
            apart: true,
            unavailable,
            onSelect: () => setDeleting(true),
          },
        ]}
      >
        <Ellipsis aria-hidden />
      </Menu>
      {deleting && (
        <Suspense>
          <DeleteDialog
            title={title}
            consequence={consequence}
            unavailable={unavailable}
            onDelete={onDelete}
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
