// The summary of a run: what was said, what changed and what needs whom; as a text to send.
import { isOverdue, isPlanOpen } from '../../../../contract/rules.ts'
import type { Action } from '../../../../contract/schemas/actions.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import type { ViewContext } from '../list/view.ts'
import { byDue, isOpenAction } from './open-actions.ts'
import { reviewMessages as messages } from './messages.ts'

/** What needs one person. */
export interface Need {
  person: string
  items: readonly string[]
}

export interface Summary {
  /** The day of the review. */
  day: string
  said: readonly { plan: string; text: string }[]
  moved: readonly { plan: string; text: string }[]
  needs: readonly Need[]
  /** Titles of the plans without an update. */
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
  const needs = new Map<string, string[]>()
  const nameOrFormer = (id: string) => nameOf('organisation_users', id) ?? messages.someone
  for (const plan of plans.filter(isPlanOpen)) {
    const { id, title, health } = plan
    const owner = plan.owner_id ? nameOrFormer(plan.owner_id) : messages.noOwner
    const add = (person: string, item: string) =>
      needs.set(person, [...(needs.get(person) ?? []), item])
    if (health === 'at-risk' || health === 'off-track')
      add(owner, messages.needHealth(title, health))
    if (isOverdue(plan, today)) add(owner, messages.needOverdue(title))
    const late = actions.filter(
      (action) =>
        action.success_plan_id === id && isOpenAction(action) && (action.due_date ?? today) < today,
    )
    for (const { assignee_id, assignee_contact, title: name, due_date } of late.toSorted(byDue)) {
      const person = assignee_id ? nameOrFormer(assignee_id) : (assignee_contact?.name ?? owner)
      add(person, messages.needAction(title, name, due_date ?? today))
    }
  }
  return [...needs].map(([person, items]) => ({ person, items }))
}

/** The summary as Markdown that the update feed shows too. */
export function summaryText({ day, said, moved, needs, skipped }: Summary): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `**${title}**`, ...lines.map((line) => `- ${line}`)]
  const lineOf = ({ plan, text }: { plan: string; text: string }) =>
    messages.textLine(plan, text.replaceAll(/\s*\n\s*/g, ' '))
  return [
    messages.textTitle(day),
    ...list(messages.posted, said.map(lineOf)),
    ...list(messages.moved, moved.map(lineOf)),
    ...needs.flatMap(({ person, items }) => list(messages.needsPerson(person), items)),
    ...list(messages.skipped, skipped),
  ].join('\n')
}

/** Longer addresses are cut off by mail programs. */
const MAX_MAIL_LENGTH = 1_800

/** A `mailto:` link with the text, without its markup; shortened at a line where it is too long. */
export function mailLink(subject: string, text: string): string {
  const link = (body: string) =>
    `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
  const lines = text.replaceAll('**', '').split('\n')
  const whole = link(lines.join('\r\n'))
  if (whole.length <= MAX_MAIL_LENGTH) return whole
  const shortened = () => link([...lines, '', messages.textShortened].join('\r\n'))
  while (lines.length > 1 && shortened().length > MAX_MAIL_LENGTH) lines.pop()
  return shortened()
}
