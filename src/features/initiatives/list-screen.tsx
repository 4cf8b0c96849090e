import { Plus } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { SkeletonRows } from '../../ui/display/skeleton.tsx'
import { paramsInUrl } from '../../ui/form/use-url-text.ts'
import { usePaneRoom } from '../../ui/platform/use-desktop.ts'
import { compareText } from '../../ui/text/format.ts'
import { useAccountsById } from '../../data/accounts.ts'
import { useInitiatives } from '../../data/initiatives.ts'
import { nextPosition } from '../../data/position.ts'
import { useRecordKeys } from '../../data/record-id.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { useCreateKey } from '../../widgets/keys/use-single-keys.ts'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { PageHeader } from '../../widgets/screen-states/page-header.tsx'
import { TypedAboutWork } from '../../widgets/screen-states/typed-texts.tsx'
import { useUnreadList } from '../../widgets/screen-states/use-unread-list.ts'
import { InitiativeResults } from './initiative-results.tsx'
import { ListMenu } from './list-menu.tsx'
import { InitiativePage } from './initiative-view.tsx'
import { useRowContext } from './use-row-context.ts'
import { initiativeMessages as messages } from './messages.ts'

const NewInitiative = lazy(async () => ({
  default: (await import('./initiative-dialog.tsx')).NewInitiative,
}))

/**
 * `/initiatives`; with `?new` the form of a new one; with `?open=<id>` that initiative, beside the table or, where
 * there is no room for both, as a screen of its own.
 */
export function Component() {
  const { query, work } = useInitiatives()
  const [params, setParams] = useSearchParams()
  const plans = usePlanChoices()
  const context = useRowContext(plans)
  const accounts = useAccountsById()
  const keyOf = useRecordKeys('initiatives')
  const hasPane = usePaneRoom()
  const createKey = useCreateKey()
  const [isSelecting, setSelecting] = useState(false)
  const all = work?.initiatives
  const unread = useUnreadList([{ collection: 'initiatives', query: { ...query, data: all } }])
  const open = params.get('open')
  const viewOf = (id: string) => {
    const shown = all?.find(({ initiative }) => keyOf(initiative.id) === keyOf(id))
    const plan = plans.find((one) => one.id === shown?.initiative.success_plan_id)
    const { contacts = NONE } = accounts?.get(plan?.account_id ?? '') ?? {}
    return shown && { work: shown, context, contacts, plan, plans }
  }

  function setAdding(isOn: boolean) {
    const now = paramsInUrl()
    if (isOn) now.set('new', '')
    else now.delete('new')
    setParams(now, { replace: true })
  }

  function show(id: string | undefined) {
    const now = paramsInUrl()
    now.delete('new')
    now.delete('edit')
    if (id === undefined) now.delete('open')
    else now.set('open', id)
    setParams(now, { replace: hasPane || id === undefined })
  }

  const typed = (
    <div className="mt-4 empty:hidden">
      <TypedAboutWork title={messages.typed} ids={work?.ids} />
    </div>
  )
  const page = open === null || hasPane ? undefined : viewOf(open)
  if (page) {
    const list = new URLSearchParams(params)
    list.delete('open')
    list.delete('edit')
    const back = { pathname: '/initiatives', search: list.toString() }
    return (
      <>
        {typed}
        <InitiativePage key={open} {...page} onClose={() => show(undefined)} back={back} />
      </>
    )
  }
  const add = (label: string) => (
    <Button
      variant="primary"
      {...createKey(label)}
      className="max-sm:[&_svg]:hidden"
      onClick={() => setAdding(true)}
    >
      <Plus aria-hidden />
      {label}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={messages.title}
        age={{ shows: { collection: 'initiatives' } }}
        actions={
          all &&
          all.length > 0 && (
            <>
              <ListMenu initiatives={all} context={context} onSelecting={setSelecting} />
              {add(messages.add)}
            </>
          )
        }
      />
      {typed}
      {all && all.length > 0 && (
        <InitiativeResults
          initiatives={all}
          plans={plans}
          context={context}
          viewOf={viewOf}
          isSelecting={isSelecting}
          onSelecting={setSelecting}
        />
      )}
      {all?.length === 0 && !unread && (
        <Empty title={messages.emptyTitle} action={add(messages.first)}>
          {messages.empty}
        </Empty>
      )}
      {(!all || (all.length === 0 && unread)) && (
        <NoData
          query={unread?.query ?? query}
          collection="initiatives"
          messages={messages}
          loading={<SkeletonRows label={messages.loading} table />}
          offlineAction={add(messages.add)}
        />
      )}
      {params.has('new') && (
        <Suspense>
          <NewInitiative
            plans={plans}
            position={nextPosition(all?.map(({ initiative }) => initiative) ?? [])}
            onClose={() => setAdding(false)}
            onCreated={show}
          />
        </Suspense>
      )}
    </>
  )
}

/** The plans as choices, sorted by title, with the account: plans of one kind have the same title. */
function usePlanChoices() {
  const { plans = NONE } = usePlans()
  const accounts = useAccountsById()
  return useMemo(
    () =>
      plans
        .map((plan) => ({
          ...plan,
          title: messages.planOf(plan.title, accounts?.get(plan.account_id ?? '')?.name),
        }))
        .toSorted((a, b) => compareText(a.title, b.title)),
    [plans, accounts],
  )
}

const NONE: readonly never[] = []
