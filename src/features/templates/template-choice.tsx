import type { ComponentProps } from 'react'
import { templatePlanDates, type Template } from '../../../contract/schemas/templates.ts'
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
  start_date: string
  end_date: string
  today: string
}

/** On which days a plan's work falls, by the rule that the server uses. */
export function TemplatePreview({ template, start_date, end_date, today }: TemplatePreviewProps) {
  const typed = { start_date: start_date || null, end_date: end_date || null }
  const dates = templatePlanDates(template, typed, today)
  return (
    <details open className="rounded-lg bg-sunken/60 px-4 py-3">
      <summary className="min-h-6 cursor-pointer text-sm font-semibold coarse:min-h-11">
        {messages.preview}
      </summary>
      <p className="mt-1 mb-3 text-sm text-ink-muted">{messages.ends(dates.end_date)}</p>
      <TemplateWork label={messages.preview} template={template} start={dates.start_date} />
    </details>
  )
}
