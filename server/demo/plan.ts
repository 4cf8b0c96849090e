// Builds a demo plan with its history. Updates are built in order, because each depends on the one before.
import type { Insertable } from 'kysely'
import type { Health, PlanStatus } from '../../contract/values.ts'
import type { SeedContext } from './context.ts'
import type { BuiltAccount } from './account.ts'
import type { SeededRandom } from './random.ts'
import {
  CANCEL_NOTES,
  DONE_NOTES,
  OFF_TRACK_NOTES,
  PARTLY_DONE_NOTES,
  PAUSE_NOTES,
  RECOVERY_NOTES,
  RISK_NOTES,
  START_NOTES,
  type Story,
} from './stories.ts'
import type { Tables } from '../database/tables.ts'

const DAY_MS = 86_400_000

interface PlanEvent {
  body: string
  step?: number
  health?: Health
  status?: PlanStatus
}

interface PlanSubject {
  story: Story
  status: PlanStatus
  account: BuiltAccount | undefined
  title: string
  /** Number of the plan; outcomes and setbacks rotate by it. */
  planIndex: number
}

/** Start, end and last update of the plan, in days from today. */
function spanOf(
  status: PlanStatus,
  random: SeededRandom,
): { start: number; end: number; last: number } {
  if (status === 'planned') {
    const start = random.between(4, 40)
    return { start, end: start + random.between(40, 90), last: 0 }
  }
  if (status === 'completed' || status === 'cancelled') {
    const last = -random.between(6, 60)
    return { start: last - random.between(60, 110), end: last + random.between(-6, 14), last }
  }
  return {
    start: -random.between(45, 100),
    end: random.between(-14, 75),
    last: -random.between(0, status === 'paused' ? 25 : 18),
  }
}

/** The updates in order; empty for a planned plan. */
function eventsOf({ story, status, planIndex }: PlanSubject, random: SeededRandom): PlanEvent[] {
  if (status === 'planned') return []
  const isEnd = status === 'completed'
  const count = isEnd ? story.notes.length : Math.max(2, story.notes.length - (planIndex % 3))
  const events: PlanEvent[] = story.notes
    .slice(0, count)
    .map((body) => ({ body, step: random.between(9, 17) }))
  const middle = Math.ceil(events.length / 2)
  const [first] = events
  if (first) first.health = 'on-track'
  if (planIndex % 2 === 0)
    events.splice(
      middle,
      0,
      { body: random.pick(RISK_NOTES), health: 'at-risk' },
      { body: random.pick(RECOVERY_NOTES), health: 'on-track', step: random.between(2, 6) },
    )
  if (status === 'in-progress' && planIndex % 5 === 3)
    events.push({ body: random.pick(RISK_NOTES), health: 'at-risk' })
  if (status === 'in-progress' && planIndex % 10 === 5)
    events.push({ body: random.pick(OFF_TRACK_NOTES), health: 'off-track' })
  events.unshift({ body: random.pick(START_NOTES), status: 'in-progress' })
  if (status === 'paused') events.push({ body: random.pick(PAUSE_NOTES), status })
  if (status === 'cancelled') events.push({ body: random.pick(CANCEL_NOTES), status })
  if (isEnd)
    events.push({ body: random.pick(planIndex % 4 === 0 ? PARTLY_DONE_NOTES : DONE_NOTES), status })
  return events
}

/** Rows of a plan and of its updates, oldest first. */
export function buildPlan(context: SeedContext, subject: PlanSubject) {
  const { organisation_id, people, now, next, random } = context
  const { story, title, status, account, planIndex } = subject
  const { start, end, last } = spanOf(status, random)
  const at = (day: number) =>
    new Date(now.getTime() + day * DAY_MS - random.between(1, 5) * 3_600_000)
  const day = (offset: number) =>
    new Date(now.getTime() + offset * DAY_MS).toISOString().slice(0, 10)
  const events = eventsOf(subject, random)
  const created = at(Math.min(start, 0) - random.between(3, 12))
  const plan_id = random.id(created)
  const owner_id = people[planIndex % people.length] ?? ''
  const fill = (text: string) =>
    text
      .replaceAll('{contact}', account?.contact ?? 'Our sponsor')
      .replaceAll('{account}', account?.row.name ?? 'the team')

  let progress = 0
  let health: Health | null = null
  let current: PlanStatus = 'planned'
  const outcome =
    status !== 'completed' ? null : planIndex % 4 === 0 ? 'partially-achieved' : 'achieved'
  const updates = events.map((event, index): Insertable<Tables['success_plan_updates']> => {
    const written = at(start + ((last - start) * index) / Math.max(1, events.length - 1))
    const synced = new Date(written.getTime() + random.between(0, 9) * 60_000 * (planIndex % 3))
    const isDone = event.status === 'completed' && outcome === 'achieved'
    const target = isDone ? 100 : Math.min(94, progress + (event.step ?? 0))
    // As the server does: completing says what was reached.
    const changesProgress = target !== progress || event.status === 'completed'
    const row = {
      organisation_id,
      id: random.id(written),
      success_plan_id: plan_id,
      // Most updates are by the owner, some by a colleague.
      user_id: random.between(0, 3) === 0 ? random.pick(people) : owner_id,
      body: fill(event.body),
      health: event.health ?? null,
      progress_from: changesProgress ? progress : null,
      progress_to: changesProgress ? target : null,
      status_from: event.status ? current : null,
      status_to: event.status ?? null,
      written_at: written.toISOString(),
      created_at: synced.toISOString(),
      version: next(),
    }
    progress = target
    health = event.health ?? health
    current = event.status ?? current
    return row
  })
  const newest = updates.at(-1)
  const closed = status === 'completed' || status === 'cancelled'
  const plan: Insertable<Tables['success_plans']> = {
    organisation_id,
    id: plan_id,
    title,
    type: account ? 'customer' : 'project',
    status,
    health,
    progress,
    description: fill(story.description),
    success_criteria: fill(story.criteria),
    start_date: day(start),
    end_date: day(end),
    account_id: account?.row.id ?? null,
    owner_id,
    outcome,
    close_note: closed ? (newest?.body ?? null) : null,
    update_cadence_days: ([7, 14, 30, null] as const)[planIndex % 4] ?? null,
    last_update_at: newest?.written_at ?? null,
    version: next(),
    created_by: owner_id,
    created_at: created.toISOString(),
    updated_at: newest?.created_at ?? created.toISOString(),
  }
  return { plan, updates }
}
