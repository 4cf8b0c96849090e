import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/display/empty.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { countViews, IN_VIEW, type ViewContext } from '../list/view.ts'
import { candidates, REVIEW_REASONS } from './candidates.ts'
import { isRunOver, type ReviewRun } from './use-run.ts'
import { reviewMessages as messages } from './messages.ts'

interface ReviewChoiceProps {
  plans: readonly SuccessPlan[]
  context: ViewContext
  /** An unfinished run, if there is one. */
  saved: ReviewRun | null
  /** Shown instead of the word that no plan needs an update, while not all plans are known. */
  unread: ReactNode
  onStart: (ids: readonly string[]) => void
  onResume: (run: ReviewRun) => void
}

/** Chooses the plans to review. */
export function ReviewChoice({
  plans,
  context,
  saved,
  unread,
  onStart,
  onResume,
}: ReviewChoiceProps) {
  const [reasons, setReasons] = useState(REVIEW_REASONS.filter(() => true))
  const [onlyMine, setOnlyMine] = useState(
    () => candidates(plans, { reasons: REVIEW_REASONS, onlyMine: true }, context).length > 0,
  )
  const chosen = candidates(plans, { reasons, onlyMine }, context)
  const many = (choice: { reasons?: typeof reasons; onlyMine?: boolean }) =>
    messages.number(candidates(plans, { reasons, onlyMine, ...choice }, context).length)
  const counts = countViews(plans, context)
  const none = !plans.some((plan) =>
    REVIEW_REASONS.some((reason) => IN_VIEW[reason](plan, context)),
  )

  return (
    <div className="mx-auto mt-6 flex max-w-md flex-col gap-6">
      {saved && (
        <Notice
          title={isRunOver(saved) ? messages.finishedTitle : messages.resumeTitle}
          action={
            <Button variant="primary" onClick={() => onResume(saved)}>
              {isRunOver(saved) ? messages.showSummary : messages.resume}
            </Button>
          }
        >
          {isRunOver(saved) ? messages.finished : messages.resumeAt(saved.at + 1, saved.ids.length)}
        </Notice>
      )}
      {none && unread}
      {none && !unread && (
        <Empty
          scene="clear"
          title={messages.noneTitle}
          action={
            <Link to="/success-plans" className={buttonClass('primary')}>
              {messages.toList}
            </Link>
          }
        >
          {messages.none}
        </Empty>
      )}
      {!none && (
        <form
          className="flex flex-col gap-6"
          onSubmit={(event) => {
            event.preventDefault()
            onStart(chosen.map(({ id }) => id))
          }}
        >
          <p className="text-ink-muted">{messages.lead}</p>
          <fieldset>
            <legend className="mb-1 text-sm font-semibold">{messages.planFilter}</legend>
            {REVIEW_REASONS.filter((reason) => counts[reason] !== undefined).map((reason) => (
              <Option
                key={reason}
                label={messages.reasons[reason]}
                count={many({ reasons: [reason] })}
              >
                <input
                  type="checkbox"
                  className="size-4"
                  checked={reasons.includes(reason)}
                  onChange={({ target }) =>
                    setReasons(
                      REVIEW_REASONS.filter((one) =>
                        one === reason ? target.checked : reasons.includes(one),
                      ),
                    )
                  }
                />
              </Option>
            ))}
          </fieldset>
          <fieldset hidden={counts.mine === undefined}>
            <legend className="mb-1 text-sm font-semibold">{messages.ownerFilter}</legend>
            {[true, false].map((mine) => (
              <Option
                key={String(mine)}
                label={mine ? messages.onlyMine : messages.allPlans}
                count={many({ onlyMine: mine })}
              >
                <input
                  type="radio"
                  name="whose"
                  className="size-4"
                  checked={onlyMine === mine}
                  onChange={() => setOnlyMine(mine)}
                />
              </Option>
            ))}
          </fieldset>
          <Button
            type="submit"
            variant={saved ? 'secondary' : 'primary'}
            unavailable={chosen.length === 0 ? messages.start(0) : undefined}
          >
            {messages.start(chosen.length)}
          </Button>
        </form>
      )}
    </div>
  )
}

interface OptionProps {
  label: string
  count: string
  children: ReactNode
}

function Option({ label, count, children }: OptionProps) {
  return (
    <label className="flex min-h-9 items-center gap-2.5 text-sm coarse:min-h-11">
      {children}
      <span className="grow">{label}</span>
      <span className="text-ink-faint tabular-nums">{count}</span>
    </label>
  )
}
