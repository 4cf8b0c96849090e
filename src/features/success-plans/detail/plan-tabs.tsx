import type { Ref } from 'react'
import { Link } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { mediaHook } from '../../../ui/platform/use-desktop.ts'
import { planScreenMessages } from '../plan-messages.ts'

const TAB =
  '-mb-px inline-flex min-h-10 items-center gap-2 border-b-2 border-transparent px-1 text-sm font-semibold text-ink-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink coarse:min-h-11 coarse:min-w-11 justify-center'

/** Whether what was agreed stands beside the other parts. */
const useAgreedBeside = mediaHook('(min-width: 64rem)')

interface PlanTabsProps {
  plan: SuccessPlan
  shown: 'updates' | 'initiatives' | 'about'
  row: Ref<HTMLElement>
}

/**
 * Updates, initiatives, and what was agreed. The last is beside the other two on a large screen, where
 * it is no tab, and the updates are shown in its place.
 */
export function PlanTabs({ plan, shown, row }: PlanTabsProps) {
  const isBeside = useAgreedBeside()
  const current = isBeside && shown === 'about' ? 'updates' : shown
  const tab = (part: PlanTabsProps['shown'], search: string, children: React.ReactNode) => (
    <Link
      to={{ search }}
      replace
      aria-current={current === part ? 'page' : undefined}
      className={TAB}
    >
      {children}
    </Link>
  )
  return (
    <nav
      ref={row}
      aria-label={planScreenMessages.parts}
      // Its shadow covers an update that needs attention, which is wider and scrolls under it.
      className="mb-4 flex flex-wrap gap-x-6 border-b border-line bg-surface md:shadow-[-.75rem_0_var(--color-surface),.75rem_0_var(--color-surface)] top-[calc(3.5rem+var(--safe-top))] z-10 md:sticky short:static md:[:root:has(&)]:scroll-pt-30"
    >
      {tab('updates', '', planScreenMessages.updatesTab)}
      {tab('initiatives', '?show=initiatives', <WorkLabel plan={plan} />)}
      {!isBeside && tab('about', '?show=about', planScreenMessages.aboutTab)}
    </nav>
  )
}

/** The name of the initiatives with their actions, and how many of these are done. */
export function WorkLabel({ plan }: { plan: SuccessPlan }) {
  const { actions_count: all, actions_done_count: done } = plan
  return (
    <>
      {planScreenMessages.workTab}
      {all > 0 && (
        <span className="font-normal text-ink-faint tabular-nums">
          <span aria-hidden>{planScreenMessages.actionsDone(done, all)}</span>
          <span className="sr-only">{planScreenMessages.actionsDoneSpoken(done, all)}</span>
        </span>
      )}
    </>
  )
}
