import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isActionOpen, isActionOverdue } from '../../../data/success-plans/action-rules.ts'
import type { Action } from '../../../../contract/schemas/actions.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useActions } from '../../../data/actions.ts'
import { editAction, tickAction } from '../../../data/edit-action.ts'
import { useRecordKeys } from '../../../data/record-id.ts'
import { useKeeps } from '../../../sync/react/use-sync.ts'
import { UNDO_MS } from '../../../sync/enqueue-all.ts'
import { membersQuery } from '../../../data/organisations/queries.ts'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { SelectField } from '../../../ui/form/field.tsx'
import { NeedsYou } from '../../../widgets/status/tags.tsx'
import type { ViewContext } from '../list/view.ts'
import { DayField } from './day-field.tsx'
import { byDue } from './by-due.ts'
import { reviewMessages as messages } from './messages.ts'

/** More actions would push the composer off the screen. */
const ACTIONS_SHOWN = 5

interface ReviewActionsProps {
  plan: SuccessPlan
  context: ViewContext
  /** Reports a step once it is saved: what it changed, and the id of its operation. */
  onStep: (text: string, saved: Promise<string | undefined>) => void
}

/** The open actions of a plan, to tick off and to move. Those ticked here stay in view. */
export function ReviewActions({ plan, context, onStep }: ReviewActionsProps) {
  const { actions } = useActions()
  const { nameOf } = context
  const keyOf = useRecordKeys('actions')
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [showsAll, setShowsAll] = useState(false)
  const listed = (actions ?? [])
    .filter(
      (action) =>
        action.success_plan_id === plan.id &&
        (isActionOpen(action) || (action.status === 'done' && ticked.includes(keyOf(action.id)))),
    )
    .toSorted(byDue)
  const shown = showsAll ? listed : listed.slice(0, ACTIONS_SHOWN)

  function tick(action: Action, done: boolean) {
    setTicked([...ticked, keyOf(action.id)])
    const text = done ? messages.tick(action.title) : messages.reopen(action.title)
    onStep(text, tickAction(action, done, { delayMs: UNDO_MS }))
  }
  const assign = (action: Action, assignee_id: string | null) =>
    onStep(
      messages.assigned(action.title, nameOf('organisation_users', assignee_id)),
      editAction(action, { assignee_id, assignee_contact: null }, { delayMs: UNDO_MS }),
    )
  const move = (action: Action, due_date: string | null) =>
    onStep(
      messages.dueMoved(action.title, due_date),
      editAction(action, { due_date }, { delayMs: UNDO_MS }),
    )

  return (
    <section className="mt-6">
      <h3 className="text-sm font-semibold text-ink-muted">{messages.openActions}</h3>
      {actions && listed.length === 0 && (
        <p className="mt-1 text-sm text-ink-muted">{messages.noActions}</p>
      )}
      <ul className="mt-1 text-sm">
        {shown.map((action) => (
          <ReviewAction
            key={keyOf(action.id)}
            action={action}
            plan={plan}
            context={context}
            onTick={(done) => tick(action, done)}
            onMove={(day) => move(action, day)}
            onAssign={(user_id) => assign(action, user_id)}
          />
        ))}
      </ul>
      {shown.length < listed.length && (
        <ShowMore onShow={() => setShowsAll(true)}>
          {messages.moreActions(listed.length - shown.length)}
        </ShowMore>
      )}
    </section>
  )
}

interface ReviewActionProps {
  action: Action
  plan: SuccessPlan
  context: ViewContext
  onTick: (done: boolean) => void
  onMove: (day: string | null) => void
  onAssign: (user_id: string | null) => void
}

function ReviewAction(props: ReviewActionProps) {
  const { action, plan, context, onTick, onMove, onAssign } = props
  const { today, nameOf } = context
  const keeps = useKeeps('actions')
  const { title, due_date, status } = action
  const done = status === 'done'
  return (
    <li className="flex flex-wrap items-center gap-x-3 border-b border-line py-2">
      <label className="flex min-h-10 min-w-48 grow basis-0 cursor-pointer items-center gap-2.5 coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4.5 shrink-0"
          aria-label={messages.tick(title)}
          checked={done}
          onChange={(event) => onTick(event.target.checked)}
        />
        <span className={`min-w-0 break-words ${done ? 'text-ink-muted line-through' : ''}`}>
          {title}
        </span>
      </label>
      {isActionOverdue(action, plan, today) && <NeedsYou>{messages.overdueAction}</NeedsYou>}
      <span className="ms-7 flex grow flex-wrap items-start gap-x-3 gap-y-2 text-ink-muted sm:ms-0 sm:grow-0">
        {done || !keeps('assignee_id') ? (
          <span>
            {nameOf('organisation_users', action.assignee_id) ?? action.assignee_contact?.name}
          </span>
        ) : (
          <AssigneeField action={action} nameOf={nameOf} onAssign={onAssign} />
        )}
        {!done && keeps('due_date') && (
          <span className="min-w-0 grow basis-36 sm:w-40 sm:grow-0 sm:basis-auto">
            <DayField label={messages.dueOf(title)} labelHidden value={due_date} onMove={onMove} />
          </span>
        )}
      </span>
    </li>
  )
}

interface AssigneeFieldProps {
  action: Action
  nameOf: ViewContext['nameOf']
  onAssign: (user_id: string | null) => void
}

/** Who has to do it: a member. A contact of the customer stays until another is chosen. */
function AssigneeField({ action, nameOf, onAssign }: AssigneeFieldProps) {
  const members = useQuery(membersQuery()).data
  const { title, assignee_id, assignee_contact } = action
  const value = assignee_id ?? ''
  const isMember = members?.some(({ user_id }) => user_id === value)
  const other = assignee_contact?.name ?? nameOf('organisation_users', assignee_id)
  return (
    <span className="min-w-0 grow basis-32 sm:w-40 sm:grow-0 sm:basis-auto">
      <SelectField
        label={messages.assigneeOf(title)}
        labelHidden
        value={isMember ? value : other ? 'other' : ''}
        onChange={({ target }) => onAssign(target.value || null)}
      >
        <option value="">{messages.unassigned}</option>
        {!isMember && other && (
          <option value="other" disabled>
            {other}
          </option>
        )}
        {members?.map(({ user_id, name }) => (
          <option key={user_id} value={user_id}>
            {name}
          </option>
        ))}
      </SelectField>
    </span>
  )
}
