import { FileDown, Printer, Square, SquareCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Action } from '../../../../contract/schemas/actions.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { useLastSync, useReadReport } from '../../../sync/react/use-sync.ts'
import { useFullscreen } from '../../../ui/platform/use-fullscreen.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { RichText } from '../../../ui/text/rich-text.tsx'
import { useInitiatives } from '../../../data/initiatives.ts'
import { HealthMark, StatusTag } from '../../../widgets/status/tags.tsx'
import { listMenuMessages } from '../../../widgets/table/menu-messages.ts'
import { isNotRead } from '../../../widgets/screen-states/not-read.ts'
import { useIsPartlyRead } from '../../../data/success-plans/updates-of-plans.ts'
import { usePlanUpdates } from '../../../data/success-plans/queries.ts'
import { PlanFacts } from './plan-facts.tsx'
import { PrintOptions, usePrintChoice } from './print-options.tsx'
import { useViewContext } from '../use-view-context.ts'
import { planMessages } from '../messages.ts'
import {
  planScreenMessages,
  planFormMessages,
  printMessages as messages,
} from '../plan-messages.ts'
import { personNamed } from '../../../data/organisations/person-name.ts'
import { planPath } from '../../../ui/platform/record-path.ts'

type NameOf = ReturnType<typeof useViewContext>['nameOf']

/** `/success-plans/:id?print`: a plan on one page for the customer or a meeting. */
export function PrintSheet({ plan }: { plan: SuccessPlan }) {
  useFullscreen()
  const { nameOf, now, today } = useViewContext()
  const lastSync = useLastSync()
  const isOlder = isNotRead(useReadReport(), { collection: 'success_plans', id: plan.id })
  const syncedAt = isOlder ? null : (lastSync ?? null)
  const { query, work } = useInitiatives()
  const { query: feedQuery, feed, isStored } = usePlanUpdates(plan.id)
  const isPartly = useIsPartlyRead(plan.id, feedQuery)
  const isReading = query.isPending || (!isStored && feedQuery.isPending)
  const { choice, choose, isRead } = usePrintChoice(plan.id)
  const written = feed?.map(({ update }) => update).filter(({ body }) => body !== '') ?? []
  const updates = written.filter(({ id }) => choice.updates.includes(id))
  const own = work?.initiatives.filter((one) => one.initiative.success_plan_id === plan.id) ?? []
  const ungrouped = work?.ungrouped.filter((one) => one.success_plan_id === plan.id) ?? []

  async function saveFile() {
    const { saveSheet } = await import('./save-sheet.ts')
    const history = feed?.map(({ update }) => update) ?? []
    const context = { nameOf, now, today, syncedAt }
    await saveSheet({ plan, choice, updates, history, initiatives: own, ungrouped, ...context })
    toast(messages.saved)
  }

  return (
    <article className="mx-auto max-w-3xl print:[print-color-adjust:exact]">
      <div className="mb-8 flex flex-wrap items-center justify-between gap-2 border-b border-line pb-3 print:hidden">
        <BackLink to={planPath(plan.id)}>{planFormMessages.backToPlan}</BackLink>
        <div className="flex flex-wrap gap-2">
          <Button
            unavailable={isReading || !isRead ? messages.reading : undefined}
            onClick={() => void saveFile().catch(() => toast(listMenuMessages.exportFailed))}
          >
            <FileDown aria-hidden />
            {messages.saveFile}
          </Button>
          <Button
            variant="primary"
            unavailable={isRead ? undefined : messages.reading}
            onClick={() => window.print()}
          >
            <Printer aria-hidden />
            {messages.print}
          </Button>
        </div>
      </div>
      {!isReading && !(query.isRead && isStored && !isPartly) && (
        <div className="mb-6 print:hidden">
          <Notice tone="warn">{messages.incomplete}</Notice>
        </div>
      )}
      {isRead && <PrintOptions choice={choice} onChoose={choose} updates={written} />}
      <PageHeading title={plan.title} />
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-muted">
        <StatusTag status={plan.status} />
        {choice.health && plan.health && <HealthMark health={plan.health} />}
        {plan.account_id && <span>{nameOf('accounts', plan.account_id)}</span>}
        {syncedAt !== null && <span>{messages.asOf(syncedAt)}</span>}
      </p>
      {choice.facts && (
        <section aria-labelledby="facts" className="mt-7">
          <h2 id="facts" className="sr-only">
            {planScreenMessages.facts}
          </h2>
          <PlanFacts plan={plan} today={today} withoutRating={!choice.health} />
        </section>
      )}
      {choice.work && (own.length > 0 || ungrouped.length > 0) && (
        <Section title={messages.initiatives}>
          {own.map(({ initiative, actions }) => (
            <div key={initiative.id} className="mt-4 break-inside-avoid">
              <h3 className="flex items-baseline justify-between gap-4 font-semibold">
                {initiative.title}
                <span className="text-sm font-normal text-ink-muted tabular-nums">
                  {planMessages.percent(initiative.progress)}
                </span>
              </h3>
              <Actions actions={actions} nameOf={nameOf} />
            </div>
          ))}
          <Actions actions={ungrouped} nameOf={nameOf} />
        </Section>
      )}
      {updates.length > 0 && (
        <Section title={messages.updates}>
          {updates.map((update) => (
            <div key={update.id} className="mt-4 break-inside-avoid">
              <p className="text-sm text-ink-muted tabular-nums">
                <span className="font-semibold text-ink">
                  {personNamed(nameOf, update.user_id)}
                </span>{' '}
                · {messages.written(update.written_at)}
                {update.progress_to !== null && ` · ${planMessages.percent(update.progress_to)}`}
              </p>
              <RichText text={update.body} className="mt-1 leading-6" />
            </div>
          ))}
        </Section>
      )}
      <p className="mt-10 border-t border-line pt-3 text-xs break-words text-ink-faint">
        {new URL(planPath(plan.id), location.origin).href}
      </p>
    </article>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-9">
      <h2 className="border-b border-line pb-1 text-lg">{title}</h2>
      {children}
    </section>
  )
}

function Actions({ actions, nameOf }: { actions: readonly Action[]; nameOf: NameOf }) {
  const counting = actions.filter(({ status }) => status !== 'cancelled')
  return (
    <ul className="mt-1 text-sm">
      {counting.map(({ id, title, status, due_date, assignee_id, assignee_contact }) => {
        const isDone = status === 'done'
        const Box = isDone ? SquareCheck : Square
        return (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2 py-1 sm:flex-nowrap">
            <Box
              aria-label={isDone ? messages.done : messages.open}
              className="size-4 shrink-0 translate-y-0.5"
            />
            <span className="min-w-0 flex-1">{title}</span>
            <span className="ps-6 text-ink-muted tabular-nums max-sm:basis-full sm:whitespace-nowrap">
              {[
                nameOf('organisation_users', assignee_id) ?? assignee_contact?.name,
                due_date && messages.due(due_date),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
