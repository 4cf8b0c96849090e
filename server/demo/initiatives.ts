// Builds the initiatives and actions of a demo plan, completed as far as the plan's progress.
import type { Insertable } from 'kysely'
import { countActions, progressFromActions } from '../../contract/rules.ts'
import type { BuiltAccount } from './account.ts'
import type { SeedContext } from './context.ts'
import { STEPS } from './steps.ts'
import type { Story } from './stories.ts'
import type { Tables } from '../database/tables.ts'

const PRIORITIES = ['high', null, 'medium', null, 'low', null] as const

interface PlanToFill {
  plan: Insertable<Tables['success_plans']>
  story: Story
  /** What the titles of initiatives are about. */
  subject: string
  account: BuiltAccount | undefined
  planIndex: number
}

/** Status of an action. `share`: its position in the plan's work, 0 to 1. */
function statusOf(plan: PlanToFill['plan'], share: number, isNext: boolean): string {
  if (plan.status === 'completed')
    return share < 0.95 || plan.outcome === 'achieved' ? 'done' : 'cancelled'
  if (share <= (plan.progress ?? 0) / 100) return 'done'
  if (plan.status === 'cancelled') return 'cancelled'
  return isNext && plan.status === 'in-progress' ? 'in-progress' : 'todo'
}

function initiativeStatus(plan: string, actions: readonly { status: string }[]): string {
  const { actions_count, actions_done_count } = countActions(actions)
  if (actions_count === 0) return 'cancelled'
  if (actions_count === actions_done_count) return 'completed'
  if (actions.every(({ status }) => status === 'todo')) return 'planned'
  return plan === 'paused' || plan === 'cancelled' ? plan : 'in-progress'
}

/** Rows of the plan's initiatives and actions, and the plan's action counts. */
export function buildInitiatives(
  context: SeedContext,
  { plan, story, subject, account, planIndex }: PlanToFill,
) {
  const { organisation_id, people, now, next, random } = context
  const start = Date.parse(`${plan.start_date ?? ''}T08:00:00Z`)
  const end = Date.parse(`${plan.end_date ?? ''}T16:00:00Z`)
  const day = (share: number) => new Date(start + (end - start) * share).toISOString().slice(0, 10)
  const created = new Date(plan.created_at)
  const stamps = {
    created_by: plan.created_by,
    created_at: plan.created_at,
    updated_at: plan.updated_at,
  }
  // Every seventh plan has no initiatives.
  const steps =
    planIndex % 7 === 6
      ? []
      : (STEPS[story.titles[0]?.[0] ?? ''] ?? []).slice(0, 3 - (planIndex % 3 === 2 ? 1 : 0))
  const count = steps.reduce((sum, step) => sum + step.actions.length, 0)
  const initiatives: Insertable<Tables['initiatives']>[] = []
  const actions: Insertable<Tables['actions']>[] = []
  for (const [stepIndex, step] of steps.entries()) {
    const initiative_id = random.id(created)
    const from = actions.length / count
    const own = step.actions.map((title, index): Insertable<Tables['actions']> => {
      const share = (actions.length + index + 1) / count
      const before = actions.at(-1)?.status ?? 'done'
      const isNext =
        index === 0 ? before === 'done' : share - 1 / count <= (plan.progress ?? 0) / 100
      const status = statusOf(plan, share, isNext)
      const at = Math.min(
        start + (end - start) * share,
        now.getTime() - random.between(2, 40) * 3_600_000,
      )
      const atCustomer = account !== undefined && random.between(0, 5) === 0
      return {
        organisation_id,
        id: random.id(created),
        success_plan_id: plan.id,
        initiative_id,
        account_id: plan.account_id ?? null,
        title,
        status,
        priority: random.pick(PRIORITIES),
        due_date: day(share),
        assignee_id: atCustomer
          ? null
          : random.between(0, 2) === 0
            ? random.pick(people)
            : plan.owner_id,
        assignee_contact: atCustomer
          ? JSON.stringify({ name: account.contact, email: null })
          : null,
        completed_at:
          status === 'done' ? new Date(Math.max(at, created.getTime())).toISOString() : null,
        position: index + 1,
        version: next(),
        ...stamps,
      }
    })
    initiatives.push({
      organisation_id,
      id: initiative_id,
      success_plan_id: plan.id,
      account_id: plan.account_id ?? null,
      title: step.title.replace('{subject}', subject),
      status: initiativeStatus(plan.status, own),
      owner_id: plan.owner_id,
      start_date: day(from),
      end_date: day(from + own.length / count),
      progress: progressFromActions(own, 0),
      position: stepIndex + 1,
      version: next(),
      ...stamps,
    })
    actions.push(...own)
  }
  return { initiatives, actions, counts: countActions(actions) }
}
