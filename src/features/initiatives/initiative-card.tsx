import { ChevronRight } from 'lucide-react'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import { countActions } from '../../../contract/rules.ts'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/display/progress.tsx'
import { ActionList } from '../actions/action-list.tsx'
import { RecordStateTag } from '../../widgets/editing/record-mark.tsx'
import { RecordMenu } from '../../widgets/editing/record-menu.tsx'
import { recordStateKey, type RecordStates } from '../../data/record-states.ts'
import { PendingRecord } from '../../widgets/editing/pending-record.tsx'
import { editingMessages } from '../../widgets/editing/messages.ts'
import { HealthMark, NeedsYou, StatusTag } from '../../widgets/status/tags.tsx'
import type { InitiativeWork } from '../../data/initiatives.ts'
import { isInitiativeOpen, isInitiativeOverdue } from '../../data/success-plans/initiative-rules.ts'
import { initiativeMessages as messages } from './messages.ts'

const EditInitiative = lazy(async () => ({
  default: (await import('./initiative-dialog.tsx')).EditInitiative,
}))

export interface InitiativeCardProps {
  work: InitiativeWork
  owner: string | undefined
  /** Contacts who could be assigned to an action. */
  contacts: React.ComponentProps<typeof ActionList>['contacts']
  /** The plan that it belongs to. */
  plan: SuccessPlan
  today: string
  states: RecordStates
  /** Whether its actions are shown initially. */
  opened: boolean
  /** The button that moves the card. */
  handle?: ReactNode
}

/** One initiative: a summary that expands to its actions. */
export function InitiativeCard(props: InitiativeCardProps) {
  const { work, owner, contacts, plan, today, states, handle } = props
  const { initiative, actions, areActionsRead } = work
  const { id, title } = initiative
  const [toggled, setToggled] = useState<boolean>()
  const open = toggled ?? props.opened
  const [editing, setEditing] = useState(false)
  const body = useId()
  const { actions_count, actions_done_count } = countActions(actions)
  const state = states.get(recordStateKey('initiatives', id))

  return (
    <article
      data-initiative={id}
      data-row={id}
      aria-label={title}
      className="border-b border-line py-2"
    >
      <div className="flex items-start gap-1">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={body}
          onClick={() => setToggled(!open)}
          className="group -ms-2 grid min-w-0 grow grid-cols-[1.25rem_minmax(0,1fr)] items-start gap-x-2 rounded-md px-2 py-2 text-start hover:bg-raised coarse:min-h-11"
        >
          <ChevronRight
            aria-hidden
            className="mt-0.5 size-5 text-ink-faint transition-transform duration-150 group-aria-expanded:rotate-90"
          />
          <span className="min-w-0">
            <span dir="auto" className="block min-w-0 font-semibold break-words">
              {title}
            </span>
            <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-muted">
              <StatusTag status={initiative.status} isPlain />
              {initiative.health && <HealthMark health={initiative.health} />}
              <span className="whitespace-nowrap tabular-nums">
                {areActionsRead && messages.done(actions_done_count, actions_count)}
              </span>
              <span className="flex items-center gap-2 whitespace-nowrap tabular-nums">
                {initiative.end_date && (
                  <time dateTime={initiative.end_date}>{messages.ends(initiative.end_date)}</time>
                )}
                {isInitiativeOverdue(initiative, plan, today) && (
                  <NeedsYou>{messages.overdue}</NeedsYou>
                )}
                <RecordStateTag state={state} />
              </span>
            </span>
          </span>
        </button>
        {owner !== undefined && (
          <span title={messages.ownedBy(owner)} className="mt-2 hidden sm:block">
            <Avatar name={owner} size="small" />
            <span className="sr-only">{messages.ownedBy(owner)}</span>
          </span>
        )}
        <RecordMenu
          record={initiative}
          title={title}
          resource="initiatives"
          consequence={messages.deleteConsequence}
          onEdit={() => setEditing(true)}
        />
        {handle}
      </div>
      <div className="ms-7 w-24 pb-1 sm:w-40">
        <ProgressBar
          label={messages.progressOf(title)}
          value={initiative.progress}
          tone={isInitiativeOpen(initiative, plan) ? 'neutral' : 'muted'}
        />
      </div>
      {state?.kind === 'attention' && (
        <div className="ms-7 mb-2">
          <PendingRecord id={id} resource="initiatives" attentionOnly>
            <Button variant="quiet" onClick={() => setEditing(true)}>
              {editingMessages.edit}
            </Button>
          </PendingRecord>
        </div>
      )}
      <div id={body} hidden={!open} className="ms-7">
        {open && (
          <>
            {initiative.description && (
              <p
                dir="auto"
                className="mt-1 mb-2 max-w-prose text-sm leading-6 whitespace-pre-wrap text-ink-muted"
              >
                {initiative.description}
              </p>
            )}
            <ActionList
              of={title}
              actions={actions}
              parents={{ success_plan_id: initiative.success_plan_id, initiative_id: id }}
              contacts={contacts}
              plan={plan}
              today={today}
              states={states}
            />
          </>
        )}
      </div>
      {editing && (
        <Suspense>
          <EditInitiative initiative={initiative} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </article>
  )
}
