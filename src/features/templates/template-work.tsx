import { templateSchedule, type Template } from '../../../contract/schemas/templates.ts'
import { fromTemplateMessages as messages, templateMessages } from './messages.ts'

interface TemplateWorkProps {
  label: string
  template: Pick<Template, 'duration_days' | 'initiatives'>
  /** The plan's first day, to show dates; without it, days are counted from the start. */
  start?: string
  skipWeekends?: boolean
}

/** The initiatives and actions of a template with their days, read-only. */
export function TemplateWork({ label, template, start, skipWeekends }: TemplateWorkProps) {
  if (template.initiatives.length === 0)
    return <p className="text-sm text-ink-muted">{messages.nothing}</p>
  const work =
    start === undefined ? countedFrom(template) : withDates(template, start, skipWeekends)
  return (
    <ol aria-label={label} className="flex flex-col gap-4 text-sm">
      {work.map((initiative) => (
        <li key={initiative.key}>
          <p className="flex justify-between gap-x-6 border-b border-line pb-1">
            <span className="min-w-0 font-semibold">{initiative.title}</span>
            <span className="shrink-0 text-ink-muted tabular-nums">{initiative.when}</span>
          </p>
          <ul>
            {initiative.actions.map((action) => (
              <li key={action.key} className="flex justify-between gap-x-6 pt-1.5">
                <span className="min-w-0 text-ink-muted">{action.title}</span>
                <span className="shrink-0 text-ink-faint tabular-nums">{action.when}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

/** With days relative to the start. Template steps have no ids, so their index identifies them. */
const countedFrom = ({ initiatives }: TemplateWorkProps['template']) =>
  initiatives.map(({ title, start_offset_days, end_offset_days, actions }, at) => ({
    key: String(at),
    title,
    when: templateMessages.span(start_offset_days, end_offset_days),
    actions: actions.map((action, index) => ({
      key: String(index),
      title: action.title,
      when: templateMessages.day(action.due_offset_days),
    })),
  }))

/** With the dates of a plan that starts on `start`. */
const withDates = (
  template: TemplateWorkProps['template'],
  start: string,
  skipWeekends: boolean | undefined,
) =>
  templateSchedule(template, start, skipWeekends).initiatives.map(
    ({ title, start_date, end_date, actions }, at) => ({
      key: String(at),
      title,
      when: messages.span(start_date, end_date),
      actions: actions.map((action, index) => ({
        key: String(index),
        title: action.title,
        when: messages.due(action.due_date),
      })),
    }),
  )
