import type { ComponentProps } from 'react'
import { isWeekend } from '../../../contract/schemas/days.ts'
import {
  templatePlanDates,
  templateSchedule,
  type Template,
} from '../../../contract/schemas/templates.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/display/notice.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { TemplateWork } from './template-work.tsx'
import { fromTemplateMessages as messages } from './messages.ts'

interface TemplateChoiceProps extends Omit<ComponentProps<typeof SelectField>, 'children'> {
  templates: readonly Pick<Template, 'id' | 'title'>[]
}

/** Chooses the template of a new plan. */
export function TemplateChoice({ templates, ...field }: TemplateChoiceProps) {
  return (
    <SelectField {...field} hint={messages.hint} optional>
      <option value="">{messages.none}</option>
      {templates.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </SelectField>
  )
}

interface TemplatePreviewProps {
  template: Pick<Template, 'duration_days' | 'initiatives'>
  /** The dates in the form; empty if not set. */
  dates: { start_date: string; end_date: string }
  today: string
  /** Whether what is due on a weekend moves to the next working day. */
  skipWeekends: boolean
  onSkipWeekends: (isOn: boolean) => void
  onStart: (day: string) => void
}

/** On which days a plan's work falls, by the rule that the server uses. */
export function TemplatePreview(props: TemplatePreviewProps) {
  const { template, today, skipWeekends, onSkipWeekends, onStart } = props
  const typed = {
    start_date: props.dates.start_date || null,
    end_date: props.dates.end_date || null,
  }
  const dates = templatePlanDates(template, typed, today)
  const { late, weekend } = dueDays(template, dates.start_date, today)
  return (
    <details open className="rounded-lg bg-sunken/60 px-4 py-3">
      <summary className="min-h-6 cursor-pointer text-sm font-semibold coarse:min-h-11">
        {messages.preview}
      </summary>
      <p className="mt-1 text-sm text-ink-muted">
        {messages.runs(dates.start_date, dates.end_date)}
      </p>
      {typed.start_date === null && dates.start_date < today && (
        <div className="mt-3">
          <Notice
            tone="warn"
            action={<Button onClick={() => onStart(today)}>{messages.startToday}</Button>}
          >
            {messages.startPassed(late)}
          </Notice>
        </div>
      )}
      {weekend > 0 && (
        <label className="mt-2 flex min-h-9 cursor-pointer items-center gap-2 text-sm coarse:min-h-11">
          <input
            type="checkbox"
            className="size-4 shrink-0"
            checked={skipWeekends}
            onChange={(event) => onSkipWeekends(event.target.checked)}
          />
          {messages.skipWeekends(weekend)}
        </label>
      )}
      <div className="mt-3">
        <TemplateWork
          label={messages.preview}
          template={template}
          start={dates.start_date}
          skipWeekends={skipWeekends}
        />
      </div>
    </details>
  )
}

/** How many of the template's dates are before today, and how many are on a weekend. */
export function dueDays(template: TemplatePreviewProps['template'], start: string, today: string) {
  const { initiatives } = templateSchedule(template, start)
  const due = initiatives.flatMap(({ actions }) => actions.map(({ due_date }) => due_date))
  const ends = initiatives.map(({ end_date }) => end_date)
  return {
    late: due.filter((day) => day < today).length,
    weekend: [...due, ...ends].filter(isWeekend).length,
  }
}
