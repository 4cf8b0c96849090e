import { ArrowLeft, ArrowRight, Check } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type {
  SuccessPlan,
  SuccessPlanUpdateDraft,
} from '../../../../contract/schemas/success-plans.ts'
import { UNDO_MS } from '../../../sync/enqueue-all.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { postUpdate } from '../../../data/success-plans/post-update.ts'
import { UpdateComposer } from '../updates/update-composer.tsx'
import { TypedTexts } from '../../../widgets/screen-states/typed-texts.tsx'
import type { ViewContext } from '../list/view.ts'
import { ReviewFacts } from './review-facts.tsx'
import { useReviewShortcuts } from './use-review-shortcuts.ts'
import { PlanChanges } from './plan-changes.tsx'
import { ReviewActions } from './review-actions.tsx'
import { hasSteps, type MovedStep, type ReviewRun, type PostedUpdate } from './use-run.ts'
import { reviewMessages as messages } from './messages.ts'
import { planPath } from '../../../ui/platform/record-path.ts'

interface ReviewPlanProps {
  /** Undefined if the plan was deleted, or was not read. */
  plan: SuccessPlan | undefined
  context: ViewContext
  run: ReviewRun
  /** Shown instead of the word that the plan was deleted, while not all plans are known. */
  unread: ReactNode
  /** What could not be saved last. */
  failure: ReactNode
  /** Reports what could not be saved; nothing when a step begins. */
  onFailure: (text?: string) => void
  onPosted: (update: PostedUpdate) => void
  onMoved: (step: MovedStep) => void
  onNext: () => void
  onBack: () => void
}

/** One plan of the run with its composer. Must have a `key` per plan. */
export function ReviewPlan(props: ReviewPlanProps) {
  const { plan, context, run, unread, failure, onFailure, onPosted, onMoved, onNext, onBack } =
    props
  const [saving, setSaving] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  const id = run.ids[run.at] ?? ''
  const posted = run.posted[id]?.at(-1)
  const isLast = run.at === run.ids.length - 1
  // Each plan is announced as a new page and starts at the top.
  useEffect(() => {
    title.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [])

  async function quickUpdate(update: SuccessPlanUpdateDraft, draft?: string[]) {
    if (!plan) return
    const saved = await postUpdate(plan, update, draft, UNDO_MS)
    onPosted({ id: saved, body: update.body ?? '', quick: true })
  }
  const fail = (text: string) => onFailure(messages.notSaved(text, plan?.title ?? ''))
  async function noChange() {
    if (!plan || saving) return
    setSaving(true)
    onFailure()
    try {
      // Without a health the plan keeps the one that it has.
      await quickUpdate({ body: messages.noChangeBody(plan.health) })
    } catch {
      fail(messages.noChange(plan.health))
    } finally {
      setSaving(false)
    }
  }
  async function reportStep(text: string, saved: Promise<string | undefined>) {
    onFailure()
    try {
      const step = await saved
      if (plan) onMoved({ id: step, plan_id: plan.id, text })
    } catch {
      fail(text)
    }
  }
  const swipe = useReviewShortcuts({ onNext, onBack, onNoChange: () => void noChange() })

  return (
    // The minimum height keeps the buttons in one place, whatever the plan's length.
    <div {...swipe} className="flex min-h-[calc(100dvh-12rem)] touch-pan-y flex-col">
      <div className="mt-3 grid grow content-start gap-x-12 gap-y-8 lg:grid-cols-2">
        <div className="min-w-0">
          {(plan || !unread) && (
            <h2 ref={title} tabIndex={-1} className="text-xl text-pretty">
              {plan?.title ?? messages.deleted}
            </h2>
          )}
          {!plan && (unread ?? <TypedTexts id={id} />)}
          {plan && (
            <>
              <ReviewFacts plan={plan} context={context} />
              <ReviewActions
                plan={plan}
                context={context}
                onStep={(text, saved) => void reportStep(text, saved)}
              />
            </>
          )}
        </div>
        {plan && (
          <div className="min-w-0 lg:border-s lg:border-line lg:ps-10">
            {posted && (
              <div className="mb-5">
                <Notice>{messages.alreadyPosted(posted.body)}</Notice>
              </div>
            )}
            <UpdateComposer
              plan={plan}
              onPosted={(update_id, body) => onPosted({ id: update_id, body })}
            />
            <PlanChanges
              plan={plan}
              context={context}
              onStep={reportStep}
              onQuickUpdate={quickUpdate}
            />
            <p className="mt-4">
              <Link
                to={planPath(plan.id)}
                className="inline-flex items-center text-sm font-semibold text-accent underline-offset-4 hover:underline coarse:min-h-11"
              >
                {messages.openPlan}
              </Link>
            </p>
          </div>
        )}
      </div>
      <div className="sticky bottom-0 -mx-4 mt-8 border-t border-line bg-surface px-4 pt-3 pb-[calc(0.75rem+var(--safe-bottom))] sm:mx-0 sm:px-0">
        {failure}
        <div className="flex items-center justify-between gap-1">
          <Button
            variant="quiet"
            className="max-sm:px-2.5! max-sm:[&_svg]:hidden"
            onClick={onBack}
            unavailable={run.at === 0 ? messages.first : undefined}
          >
            <ArrowLeft aria-hidden />
            {messages.back}
          </Button>
          {plan && (
            <Button busy={saving} onClick={() => void noChange()}>
              <Check aria-hidden />
              {messages.noChange(plan.health)}
            </Button>
          )}
          <Button variant="quiet" className="max-sm:px-2.5! max-sm:[&_svg]:hidden" onClick={onNext}>
            {isLast ? messages.finish : hasSteps(run, id) ? messages.next : messages.skip}
            <ArrowRight aria-hidden />
          </Button>
        </div>
        <p className="mt-2 hidden text-center text-xs text-ink-faint sm:block coarse:hidden">
          {messages.keys}
        </p>
      </div>
    </div>
  )
}
