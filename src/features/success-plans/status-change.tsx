import { ArrowRightLeft } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { asksFor, transitionsFrom } from '../../../contract/rules.ts'
import type { PlanStatus, SuccessPlan } from '../../../contract/success-plans.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.tsx'
import { postUpdate } from './mutations.ts'
import { planWords, transitionWords as words, updateWords } from './words.ts'

const StatusQuestion = lazy(async () => ({
  default: (await import('./status-question.tsx')).StatusQuestion,
}))

/** What a transition is called from where the plan stands. */
const nameOf = (from: string, to: PlanStatus) =>
  to === 'in-progress' && from !== 'planned'
    ? from === 'paused'
      ? words.resume
      : words.reopen
    : words.to[to]

/** The transitions that the rules offer, each with its question where it has one. */
export function StatusChange({ plan }: { plan: SuccessPlan }) {
  const [asked, setAsked] = useState<PlanStatus>()
  const offered = transitionsFrom(plan.status)
  if (offered.length === 0) return null

  function choose(to: PlanStatus) {
    if (asksFor(to) !== undefined) return setAsked(to)
    postUpdate(plan.id, { status: to })
      .then(() => toast(words.saved))
      .catch(() => toast(updateWords.failed))
    return undefined
  }

  return (
    <>
      <Menu
        label={planWords.changeStatus}
        className={buttonClass('secondary')}
        items={offered.map((to) => ({
          label: nameOf(plan.status, to),
          onSelect: () => choose(to),
          danger: to === 'cancelled',
        }))}
      >
        <ArrowRightLeft aria-hidden />
        {planWords.changeStatus}
      </Menu>
      {asked && (
        <Suspense>
          <StatusQuestion
            plan={plan}
            to={asked}
            name={nameOf(plan.status, asked)}
            onClose={() => setAsked(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
