import { Link } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { planMessages as messages } from '../messages.ts'

const TAB =
  '-mb-px inline-flex min-h-10 items-center gap-2 border-b-2 border-transparent px-1 text-sm font-semibold text-ink-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink coarse:min-h-11'

interface PlanTabsProps {
  plan: SuccessPlan
  shown: 'updates' | 'initiatives'
}

/** Updates and initiatives as two tabs. */
export function PlanTabs({ plan, shown }: PlanTabsProps) {
  const { actions_count: all, actions_done_count: done } = plan
  const tab = (part: PlanTabsProps['shown'], search: string, children: React.ReactNode) => (
    <Link
      to={{ search }}
      replace
      aria-current={shown === part ? 'page' : undefined}
      className={TAB}
    >
      {children}
    </Link>
  )
  return (
    <nav aria-label={messages.parts} className="mb-5 flex gap-6 border-b border-line">
      {tab('updates', '', messages.updatesTab)}
      {tab(
        'initiatives',
        '?show=initiatives',
        <>
          {messages.initiativesTab}
          {all > 0 && (
            <span className="font-normal text-ink-faint tabular-nums">
              <span aria-hidden>{messages.actionsDone(done, all)}</span>
              <span className="sr-only">{messages.actionsDoneSpoken(done, all)}</span>
            </span>
          )}
        </>,
      )}
    </nav>
  )
}
