import { Plus } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { SortableList } from '../../ui/list/sortable-list.tsx'
import { toast } from '../../ui/overlay/toast.tsx'
import { ActionList } from '../actions/action-list.tsx'
import { nextPosition, positionAt } from '../../data/position.ts'
import { useRecordKeys } from '../../data/record-id.ts'
import { useFailedText } from '../../widgets/screen-states/failed-text.ts'
import { TypedAboutWork } from '../../widgets/screen-states/typed-texts.tsx'
import { useUnreadList } from '../../widgets/screen-states/use-unread-list.ts'
import { useRecordStates } from '../../widgets/editing/use-record-states.ts'
import { usePeople } from '../../data/organisations/use-people.ts'
import { PendingTemplateWork, usePendingTemplateWork } from '../templates/pending-template-work.tsx'
import { InitiativeCard, type InitiativeCardProps } from './initiative-card.tsx'
import { editRecord } from '../../data/change-records.ts'
import { useInitiatives, type InitiativeWork } from '../../data/initiatives.ts'
import { initiativeMessages as messages } from './messages.ts'

const NewInitiative = lazy(async () => ({
  default: (await import('./initiative-dialog.tsx')).NewInitiative,
}))

interface PlanInitiativesProps {
  plan: SuccessPlan
  contacts: InitiativeCardProps['contacts']
  today: string
}

/** The initiatives of one plan with their actions: add, complete, edit and reorder. */
export function PlanInitiatives({ plan, contacts, today }: PlanInitiativesProps) {
  const { id: success_plan_id } = plan
  const { query, work } = useInitiatives()
  const failed = useFailedText(messages.failed, query.error, 'initiatives')
  const offline = useConnection() === 'offline'
  const states = useRecordStates()
  const keyOf = useRecordKeys('initiatives')
  const people = usePeople()
  const pendingTemplate = usePendingTemplateWork(success_plan_id)
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<string>()
  const known = work?.initiatives.filter(
    (one) => one.initiative.success_plan_id === success_plan_id,
  )
  const unread = useUnreadList([{ collection: 'initiatives', query: { ...query, data: known } }])
  const isNone = known?.length === 0
  const own = isNone && unread ? undefined : known
  const { isError, refetch } = unread?.query ?? query
  const isNotHere = !own && offline && (isError || isNone)
  const ungrouped =
    work?.ungrouped.filter((action) => action.success_plan_id === success_plan_id) ?? []
  const initiatives = own?.map(({ initiative }) => initiative) ?? []

  function move(from: number, to: number) {
    const initiative = initiatives[from]
    if (!initiative) return
    editRecord('initiatives', initiative, { position: positionAt(initiatives, from, to) }).catch(
      () => toast(messages.failedSave),
    )
  }
  const row = (one: InitiativeWork, handle: ReactNode) => (
    <InitiativeCard
      work={one}
      owner={people?.get(one.initiative.owner_id ?? '')?.name}
      contacts={contacts}
      plan={plan}
      today={today}
      states={states}
      opened={one.initiative.status === 'in-progress' || keyOf(one.initiative.id) === added}
      handle={handle}
    />
  )
  const add = (label: string, isFirst = false) => (
    <Button variant={isFirst ? 'primary' : 'secondary'} onClick={() => setAdding(true)}>
      <Plus aria-hidden />
      {label}
    </Button>
  )

  return (
    <section aria-labelledby="initiatives">
      {/* The tab above shows this heading visually. */}
      <h2 id="initiatives" className="sr-only">
        {messages.title}
      </h2>
      {isNotHere && (
        <Empty scene="fog" level={3} title={messages.notHereTitle} action={add(messages.add)}>
          {messages.notHere}
        </Empty>
      )}
      {!own && !offline && isError && (
        <Empty
          scene="fog"
          level={3}
          title={messages.failedTitle}
          action={<Button onClick={() => void refetch()}>{messages.retry}</Button>}
        >
          {failed}
        </Empty>
      )}
      {!own && !isError && !isNotHere && <SkeletonRows label={messages.loading} rows={3} />}
      {isNone && pendingTemplate && <PendingTemplateWork work={pendingTemplate} />}
      {own?.length === 0 && !pendingTemplate && (
        <Empty level={3} title={messages.emptyTitle} action={add(messages.first, true)}>
          {messages.emptyOfPlan}
        </Empty>
      )}
      <TypedAboutWork title={messages.typed} plan_id={success_plan_id} ids={work?.ids} />
      {own && own.length > 0 && (
        <SortableList
          label={messages.listLabel}
          items={own}
          idOf={({ initiative }) => keyOf(initiative.id)}
          titleOf={({ initiative }) => initiative.title}
          onMove={move}
          row={row}
        />
      )}
      {(own ? own.length > 0 : !isNotHere) && <div className="mt-4">{add(messages.add)}</div>}
      {ungrouped.length > 0 && (
        <section aria-labelledby="loose-actions" className="mt-6">
          <h3 id="loose-actions" className="mb-1 font-semibold">
            {messages.ungrouped}
          </h3>
          <ActionList
            of={messages.ungroupedParent}
            actions={ungrouped}
            parents={{ success_plan_id, initiative_id: null }}
            contacts={contacts}
            plan={plan}
            today={today}
            states={states}
          />
        </section>
      )}
      {adding && (
        <Suspense>
          <NewInitiative
            success_plan_id={success_plan_id}
            position={nextPosition(initiatives)}
            onClose={() => setAdding(false)}
            onCreated={(id) => {
              setAdded(id)
              setAdding(false)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
