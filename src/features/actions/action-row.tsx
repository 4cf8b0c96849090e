import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import type { Action } from '../../../contract/schemas/actions.ts'
import { isActionOpen, isActionOverdue } from '../../data/success-plans/action-rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { RecordStateTag } from '../../widgets/editing/record-mark.tsx'
import type { RecordState } from '../../data/record-states.ts'
import { PendingRecord } from '../../widgets/editing/pending-record.tsx'
import { editingMessages } from '../../widgets/editing/messages.ts'
import { Button } from '../../ui/button.tsx'
import { actionHash } from '../../ui/platform/work-path.ts'
import { NeedsYou, Quiet } from '../../widgets/status/tags.tsx'
import { tickAction } from '../../data/edit-action.ts'
import { actionMessages as messages } from './messages.ts'

const ActionDialog = lazy(async () => ({
  default: (await import('./action-dialog.tsx')).ActionDialog,
}))

interface ActionRowProps {
  action: Action
  /** The assignee's name. */
  assignee: string | undefined
  contacts: React.ComponentProps<typeof ActionDialog>['contacts']
  /** The plan that it belongs to, if any. */
  plan: Pick<SuccessPlan, 'status'> | undefined
  today: string
  state: RecordState | undefined
  /** The button that moves the row. */
  handle: ReactNode
}

/** One action: completed in its row, edited in its form. It has the focus where its id is the address's hash. */
export function ActionRow(props: ActionRowProps) {
  const { action, assignee, contacts, plan, today, state, handle } = props
  const [open, setOpen] = useState(false)
  const { title, due_date, status } = action
  const isSought = useLocation().hash === actionHash(action.id)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isSought) opener.current?.focus()
  }, [isSought])
  const isOver = !isActionOpen(action)
  const isOpen = isActionOpen(action, plan)

  function tick(done: boolean) {
    tickAction(action, done).catch(() => toast(messages.failed))
  }

  return (
    <>
      <div data-action={action.id} className="flex items-start gap-1 py-0.5">
        <label className="-ms-2 grid size-10 shrink-0 cursor-pointer place-items-center rounded-md hover:bg-sunken coarse:size-11">
          <input
            type="checkbox"
            className="size-4.5 cursor-pointer"
            aria-label={messages.tick(title)}
            checked={status === 'done'}
            onChange={(event) => tick(event.target.checked)}
          />
        </label>
        <div className="flex min-h-10 min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1 py-2 coarse:min-h-11">
          <button
            ref={opener}
            type="button"
            dir="auto"
            aria-label={messages.open(title)}
            onClick={() => setOpen(true)}
            className={`min-w-0 rounded-sm text-start text-sm break-words underline-offset-4 hover:underline coarse:-my-2 coarse:py-2 ${isOver ? 'text-ink-muted line-through' : ''}`}
          >
            {title}
          </button>
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-ink-muted empty:hidden">
            {due_date !== null && isActionOverdue(action, plan, today) && (
              <NeedsYou>{messages.overdue(due_date)}</NeedsYou>
            )}
            {due_date !== null && isOpen && due_date >= today && (
              <time dateTime={due_date} className="whitespace-nowrap tabular-nums">
                {messages.due(due_date)}
              </time>
            )}
            {action.priority === 'high' && isOpen && <Quiet>{messages.highPriority}</Quiet>}
            {status !== 'todo' && status !== 'done' && <Quiet>{messages.status(status)}</Quiet>}
            <RecordStateTag state={state} />
          </span>
        </div>
        {assignee !== undefined && (
          <span title={messages.assignedTo(assignee)} className="mt-2">
            <Avatar name={assignee} size="small" />
            <span className="sr-only">{messages.assignedTo(assignee)}</span>
          </span>
        )}
        {handle}
      </div>
      {state?.kind === 'attention' && (
        <div className="mb-3">
          <PendingRecord id={action.id} resource="actions" attentionOnly>
            <Button variant="quiet" onClick={() => setOpen(true)}>
              {editingMessages.edit}
            </Button>
          </PendingRecord>
        </div>
      )}
      <Suspense>
        {open && (
          <ActionDialog action={action} contacts={contacts} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </>
  )
}
