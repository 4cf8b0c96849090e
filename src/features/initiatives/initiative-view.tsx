import { lazy, Suspense, type ComponentProps } from 'react'
import { Link, useSearchParams } from 'react-router'
import { countActions } from '../../../contract/rules.ts'
import type { InitiativeWork } from '../../data/initiatives.ts'
import { isInitiativeOpen, isInitiativeOverdue } from '../../data/success-plans/initiative-rules.ts'
import { ActionList } from '../actions/action-list.tsx'
import { BackLink } from '../../ui/back-link.tsx'
import { Button } from '../../ui/button.tsx'
import { ProgressBar } from '../../ui/display/progress.tsx'
import { paramsInUrl } from '../../ui/form/use-url-text.ts'
import { PreviewPane } from '../../ui/list/preview-pane.tsx'
import { PendingRecord } from '../../widgets/editing/pending-record.tsx'
import { RecordMenu } from '../../widgets/editing/record-menu.tsx'
import { editingMessages } from '../../widgets/editing/messages.ts'
import { PageHeader } from '../../widgets/screen-states/page-header.tsx'
import { HealthMark, NeedsYou, StatusTag } from '../../widgets/status/tags.tsx'
import type { PlanChoice } from './initiative-dialog.tsx'
import { planOf, type RowContext } from './initiative-table.tsx'
import { initiativeListMessages as messages, initiativeMessages } from './messages.ts'
import { planPath } from '../../ui/platform/record-path.ts'

const EditInitiative = lazy(async () => ({
  default: (await import('./initiative-dialog.tsx')).EditInitiative,
}))

interface InitiativeViewProps {
  work: InitiativeWork
  context: RowContext
  /** Contacts who could be assigned to an action. */
  contacts: ComponentProps<typeof ActionList>['contacts']
  /** The plan that it belongs to, if any. */
  plan: ComponentProps<typeof ActionList>['plan']
  /** Plans to choose from. */
  plans: readonly PlanChoice[]
  onClose: () => void
}

/** An initiative with its actions beside the table. */
export function InitiativePane(props: InitiativeViewProps) {
  const { work, onClose } = props
  const { id, title } = work.initiative
  const { menu, body } = useParts(props)
  return (
    <PreviewPane
      id={id}
      label={messages.preview(title)}
      onClose={onClose}
      controls={<div className="ms-auto">{menu}</div>}
    >
      <h2 className="text-lg text-pretty">{title}</h2>
      {body}
    </PreviewPane>
  )
}

/** The same as a screen of its own, where there is no room beside the list. `back` is the list's address. */
export function InitiativePage({
  back,
  ...props
}: InitiativeViewProps & { back: ComponentProps<typeof BackLink>['to'] }) {
  const { menu, body } = useParts(props)
  return (
    <>
      <PageHeader
        title={props.work.initiative.title}
        className="text-2xl text-pretty max-sm:text-xl"
        age={{ shows: { collection: 'initiatives', id: props.work.initiative.id } }}
        back={<BackLink to={back}>{initiativeMessages.title}</BackLink>}
        actions={menu}
      />
      {body}
    </>
  )
}

/** The menu of an initiative, what it consists of, and its form with `?edit`. */
function useParts({ work, context, contacts, plan, plans, onClose }: InitiativeViewProps) {
  const { initiative, actions } = work
  const { id, title, success_plan_id, end_date, health } = initiative
  const [params, setParams] = useSearchParams()
  const setEditing = (isOn: boolean) => {
    const now = paramsInUrl()
    if (isOn) now.set('edit', '')
    else now.delete('edit')
    setParams(now, { replace: true })
  }
  const { actions_count, actions_done_count } = countActions(actions)
  const owner = context.nameOf(initiative.owner_id)
  const menu = (
    <RecordMenu
      record={initiative}
      title={title}
      resource="initiatives"
      consequence={initiativeMessages.deleteConsequence}
      onEdit={() => setEditing(true)}
      onDeleted={onClose}
    />
  )
  const body = (
    <>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-muted">
        <StatusTag status={initiative.status} />
        {health && <HealthMark health={health} />}
        {end_date && (
          <time dateTime={end_date} className="tabular-nums">
            {initiativeMessages.ends(end_date)}
          </time>
        )}
        {isInitiativeOverdue(initiative, plan, context.today) && (
          <NeedsYou>{initiativeMessages.overdue}</NeedsYou>
        )}
        {owner !== undefined && <span>{initiativeMessages.ownedBy(owner)}</span>}
      </p>
      {success_plan_id !== null && (
        <p className="mt-1.5 text-sm">
          <Link
            to={`${planPath(success_plan_id)}?show=initiatives`}
            className="inline-flex items-center font-semibold text-accent underline-offset-4 hover:underline coarse:min-h-11"
          >
            {planOf(success_plan_id, context)}
          </Link>
        </p>
      )}
      <div className="mt-4 flex max-w-md items-center gap-3 text-sm">
        <ProgressBar
          label={initiativeMessages.progressOf(title)}
          value={initiative.progress}
          tone={isInitiativeOpen(initiative, plan) ? 'neutral' : 'muted'}
        />
        <span className="whitespace-nowrap text-ink-muted tabular-nums">
          {work.areActionsRead && initiativeMessages.done(actions_done_count, actions_count)}
        </span>
      </div>
      <PendingRecord id={id} resource="initiatives">
        <Button variant="quiet" onClick={() => setEditing(true)}>
          {editingMessages.edit}
        </Button>
      </PendingRecord>
      {initiative.description && (
        <p
          dir="auto"
          className="mt-4 max-w-prose text-sm leading-6 whitespace-pre-wrap text-ink-muted"
        >
          {initiative.description}
        </p>
      )}
      <section aria-label={messages.actions} className="mt-5 max-w-3xl">
        <ActionList
          of={title}
          actions={actions}
          parents={{ success_plan_id, initiative_id: id }}
          contacts={contacts}
          plan={plan}
          today={context.today}
          states={context.states}
        />
      </section>
      {params.has('edit') && (
        <Suspense>
          <EditInitiative initiative={initiative} plans={plans} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </>
  )
  return { menu, body }
}
