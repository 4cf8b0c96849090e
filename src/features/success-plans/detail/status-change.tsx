import { ArrowRightLeft } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { requiredForTransition, transitionsFrom } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import type { PlanStatus } from '../../../../contract/values.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { postUpdate } from '../../../data/success-plans/post-update.ts'
import { transitionName } from '../transition-name.ts'
import {
  planScreenMessages,
  transitionMessages as messages,
  updateMessages,
} from '../plan-messages.ts'

const StatusQuestion = lazy(async () => ({
  default: (await import('../updates/status-dialog.tsx')).StatusDialog,
}))

interface StatusChangeProps {
  plan: SuccessPlan
  /** Saves the change in another way than as an update that is sent at once, and confirms it. */
  save?: React.ComponentProps<typeof StatusQuestion>['save']
}

/** The allowed transitions, each with a dialog if it asks for more. */
export function StatusChange({ plan, save }: StatusChangeProps) {
  const [pendingTransition, setPendingTransition] = useState<PlanStatus>()
  const offered = transitionsFrom(plan.status)
  if (offered.length === 0) return null

  function choose(to: PlanStatus) {
    if (requiredForTransition(to) !== undefined) return setPendingTransition(to)
    const saved = save
      ? save({ status: to })
      : postUpdate(plan, { status: to }).then(() => toast(messages.saved))
    saved.catch(() => toast(updateMessages.failed))
    return undefined
  }

  return (
    <>
      <Menu
        label={planScreenMessages.changeStatus}
        className={`${buttonClass('secondary')} max-sm:[&_svg]:hidden`}
        items={offered.map((to) => ({
          label: transitionName(plan.status, to),
          onSelect: () => choose(to),
          danger: to === 'cancelled',
        }))}
      >
        <ArrowRightLeft aria-hidden />
        {planScreenMessages.changeStatus}
      </Menu>
      {pendingTransition && (
        <Suspense>
          <StatusQuestion
            plan={plan}
            to={pendingTransition}
            name={transitionName(plan.status, pendingTransition)}
            save={save}
            onClose={() => setPendingTransition(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
