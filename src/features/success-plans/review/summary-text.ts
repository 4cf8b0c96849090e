// The summary of a run: what was posted, what changed and what needs whom; as a text to send.
import { isActionOverdue } from '../../../data/success-plans/action-rules.ts'
import { isOverdue, isPlanOpen } from '../../../../contract/rules.ts'
import type { Action } from '../../../../contract/schemas/actions.ts'
import { MAX_UPDATE_LENGTH, type SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import type { ViewContext } from '../list/view.ts'
import { byDue } from './by-due.ts'
import { reviewMessages as messages } from './messages.ts'
import { personNamed } from '../../../data/organisations/person-name.ts'

/** A plan, and what there is to say of it. */
interface PlanLines {
  id: string
  title: string
  lines: readonly string[]
}

/** What needs one person. */
export interface Need {
  person: string
  plans: readonly PlanLines[]
}

export interface Summary {
  /** The day of the review. */
  day: string
  posted: readonly PlanLines[]
  moved: readonly PlanLines[]
  needs: readonly Need[]
  /** Titles of the plans on which nothing was posted or changed. */
  skipped: readonly string[]
}

/**
 * By person, what of these plans is overdue or at risk: plans for their owner, overdue actions for their
 * assignee, or else for the plan's owner. In the order of the plans.
 */
export function needsOf(
  plans: readonly SuccessPlan[],
  actions: readonly Action[],
  { today, nameOf }: Pick<ViewContext, 'today' | 'nameOf'>,
): Need[] {
  const needs = new Map<string, PlanLines[]>()
  const personOf = (id: string) => personNamed(nameOf, id)
  for (const plan of plans.filter(isPlanOpen)) {
    const { id, title, health } = plan
    const owner = plan.owner_id ? personOf(plan.owner_id) : messages.noOwner
    const lines = new Map<string, string[]>()
    const add = (person: string, line: string) =>
      lines.set(person, [...(lines.get(person) ?? []), line])
    if (health === 'at-risk' || health === 'off-track') add(owner, messages.needHealth(health))
    if (isOverdue(plan, today)) add(owner, messages.needOverdue)
    const late = actions.filter(
      (action) => action.success_plan_id === id && isActionOverdue(action, plan, today),
    )
    for (const { assignee_id, assignee_contact, title: name, due_date } of late.toSorted(byDue)) {
      const person = assignee_id ? personOf(assignee_id) : (assignee_contact?.name ?? owner)
      add(person, messages.needAction(name, due_date ?? today))
    }
    for (const [person, own] of lines)
      needs.set(person, [...(needs.get(person) ?? []), { id, title, lines: own }])
  }
  return [...needs].map(([person, own]) => ({ person, plans: own }))
}

/** The summary as Markdown that the update feed shows too. */
export function summaryText({ day, posted, moved, needs, skipped }: Summary): string {
  const list = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `**${heading}**`, ...lines.map((line) => `- ${line}`)]
  const lineOf = ({ title, lines }: PlanLines) =>
    messages.textLine(
      title,
      lines.map((line) => line.replaceAll(/(?<!\s)\s*\n\s*/g, ' ')),
    )
  return [
    messages.textTitle(day),
    ...list(messages.posted, posted.map(lineOf)),
    ...list(messages.moved, moved.map(lineOf)),
    ...needs.flatMap(({ person, plans }) => list(messages.needsPerson(person), plans.map(lineOf))),
    ...list(messages.skipped, skipped),
  ].join('\n')
}

/** Longer addresses are cut off by mail programs. */
const MAX_MAIL_LENGTH = 1_800

/** The text, or as many of its first lines as fit with `rest` below them. */
function fitted(text: string, rest: string, fits: (text: string) => boolean): string {
  const lines = text.split('\n')
  const shortened = () => [...lines, '', rest].join('\n')
  if (fits(text)) return text
  while (lines.length > 1 && !fits(shortened())) lines.pop()
  return shortened()
}

/** A `mailto:` link with the text, without its markup; shortened at a line where it is too long. */
export function mailLink(subject: string, text: string): string {
  const link = (body: string) =>
    `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll('\n', '\r\n'))}`
  const fits = (body: string) => link(body).length <= MAX_MAIL_LENGTH
  return link(fitted(text.replaceAll('**', ''), messages.textShortened, fits))
}

/** The text of an update with the summary, shortened likewise. */
export const updateText = (text: string): string =>
  fitted(text, messages.postShortened, ({ length }) => length <= MAX_UPDATE_LENGTH)
