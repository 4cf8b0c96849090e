import { BookmarkPlus, Link2, Printer } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { daysBetween, isOverdue, isStale } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { useAccountsById } from '../../../data/accounts.ts'
import { PageHeader } from '../../../widgets/screen-states/page-header.tsx'
import { RecordMenu } from '../../../widgets/editing/record-menu.tsx'
import { HealthMark, NeedsYou, Quiet, StatusTag } from '../../../widgets/status/tags.tsx'
import { useCapability } from '../../../sync/react/use-sync.ts'
import { useWriteBlocker } from '../../templates/use-write-blocker.ts'
import { fromTemplateMessages } from '../../templates/messages.ts'
import { isOnServer } from '../../../data/operations/pending-edits.ts'
import { StatusChange } from './status-change.tsx'
import { planMessages } from '../messages.ts'
import { planScreenMessages, printMessages, shareMessages } from '../plan-messages.ts'
import { toast } from '../../../ui/overlay/toast.tsx'
import { accountPath, planPath } from '../../../ui/platform/record-path.ts'

const SaveAsTemplate = lazy(async () => ({
  default: (await import('../../templates/save-as-template.tsx')).SaveAsTemplate,
}))

interface PlanHeaderProps {
  plan: SuccessPlan
  today: string
  /** Epoch milliseconds. */
  now: number
}

/** Title, status and key facts of a plan. */
export function PlanHeader({ plan, today, now }: PlanHeaderProps) {
  const navigate = useNavigate()
  const account = useAccountsById()?.get(plan.account_id ?? '')
  const writeBlocker = useWriteBlocker()
  const hasTemplates = useCapability('templates')
  const [saving, setSaving] = useState(false)
  const last = plan.last_update_at ?? plan.created_at
  return (
    <>
      <PageHeader
        title={plan.title}
        className="text-2xl text-pretty max-sm:text-xl"
        age={{ shows: { collection: 'success_plans', id: plan.id } }}
        back={<BackLink to="/success-plans">{planMessages.back}</BackLink>}
        actions={
          <>
            <StatusChange plan={plan} />
            <RecordMenu
              record={plan}
              title={plan.title}
              resource="success_plans"
              consequence={planScreenMessages.deleteConsequence}
              onEdit={() => navigate('?edit')}
              items={[
                ...(isOnServer('success_plans', plan.id)
                  ? [
                      {
                        label: canShare() ? shareMessages.share : shareMessages.copy,
                        icon: Link2,
                        onSelect: () => void sharePlan(plan),
                      },
                    ]
                  : []),
                {
                  label: printMessages.item,
                  icon: Printer,
                  onSelect: () => void navigate('?print'),
                },
                ...(hasTemplates
                  ? [
                      {
                        label: fromTemplateMessages.save,
                        icon: BookmarkPlus,
                        unavailable:
                          writeBlocker ??
                          (isOnServer('success_plans', plan.id)
                            ? undefined
                            : fromTemplateMessages.unsent),
                        onSelect: () => setSaving(true),
                      },
                    ]
                  : []),
              ]}
              onDeleted={() => navigate('/success-plans', { replace: true })}
            />
          </>
        }
      />
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-ink-muted">
        <StatusTag status={plan.status} />
        {plan.health && <HealthMark health={plan.health} />}
        {account && (
          <Link
            to={accountPath(account.id)}
            className="inline-flex items-center font-semibold text-accent underline-offset-4 hover:underline coarse:min-h-11"
          >
            {account.name}
          </Link>
        )}
        {plan.end_date && (
          <time dateTime={plan.end_date} className="tabular-nums">
            {planMessages.ends(plan.end_date)}
          </time>
        )}
        {plan.end_date && isOverdue(plan, today) && (
          <NeedsYou>{planMessages.overdueBy(daysBetween(plan.end_date, today))}</NeedsYou>
        )}
        {last && isStale(plan, now) && <Quiet>{planMessages.staleSince(last)}</Quiet>}
      </p>
      {saving && (
        <Suspense>
          <SaveAsTemplate plan={plan} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Whether the device has a share sheet; otherwise the link is copied. */
const canShare = (): boolean => typeof navigator.share === 'function'

/** Opens the share sheet with the plan's link, or copies the link and confirms that with a toast. */
async function sharePlan({ id, title }: SuccessPlan): Promise<void> {
  const url = `${location.origin}${planPath(id)}`
  try {
    if (canShare()) return await navigator.share({ title, url })
    await navigator.clipboard.writeText(url)
    toast(shareMessages.copied)
  } catch (problem) {
    // The user closed the share sheet.
    if (problem instanceof DOMException && problem.name === 'AbortError') return
    toast(shareMessages.refused(url))
  }
}
