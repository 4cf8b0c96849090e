// A plan of the demonstration with its history, told forwards: each update follows from the one before.
import type { Insertable } from 'kysely'
import type { Health, PlanStatus } from '../contract/values.ts'
import type { ToldAccount } from './seed-account.ts'
import type { SeedChance } from './seed-chance.ts'
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
} from './seed-words.ts'
import type { Tables } from './tables.ts'

const DAY = 86_400_000

/** What telling takes: whose it is, who may speak, and when. */
export interface Teller {
  organisation_id: string
  people: readonly string[]
  now: Date
  /** The next version of the organisation. */
  next: () => number
  chance: SeedChance
}

interface Beat {
  body: string
  step?: number
  health?: Health
  status?: PlanStatus
}

interface Subject {
  story: Story
  status: PlanStatus
  account: ToldAccount | undefined
  /** Which plan it is: titles, endings and troubles take turns. */
  turn: number
}

/** From and to when work goes on, in days from today. */
function spanOf(
  status: PlanStatus,
  chance: SeedChance,
): { start: number; end: number; last: number } {
  if (status === 'planned') {
    const start = chance.between(4, 40)
    return { start, end: start + chance.between(40, 90), last: 0 }
  }
  if (status === 'completed' || status === 'cancelled') {
    const last = -chance.between(6, 60)
    return { start: last - chance.between(60, 110), end: last + chance.between(-6, 14), last }
  }
  return {
    start: -chance.between(45, 100),
    end: chance.between(-14, 75),
    last: -chance.between(0, status === 'paused' ? 25 : 18),
  }
}

/** What happens, in order; empty for a plan that has not begun. */
function beatsOf({ story, status, turn }: Subject, chance: SeedChance): Beat[] {
  if (status === 'planned') return []
  const isEnd = status === 'completed'
  const count = isEnd ? story.notes.length : Math.max(2, story.notes.length - (turn % 3))
  const beats: Beat[] = story.notes
    .slice(0, count)
    .map((body) => ({ body, step: chance.between(9, 17) }))
  const middle = Math.ceil(beats.length / 2)
  const [first] = beats
  if (first) first.health = 'on-track'
  if (turn % 2 === 0)
    beats.splice(
      middle,
      0,
      { body: chance.pick(RISK_NOTES), health: 'at-risk' },
      { body: chance.pick(RECOVERY_NOTES), health: 'on-track', step: chance.between(2, 6) },
    )
  if (status === 'in-progress' && turn % 5 === 3)
    beats.push({ body: chance.pick(RISK_NOTES), health: 'at-risk' })
  if (status === 'in-progress' && turn % 10 === 5)
    beats.push({ body: chance.pick(OFF_TRACK_NOTES), health: 'off-track' })
  beats.unshift({ body: chance.pick(START_NOTES), status: 'in-progress' })
  if (status === 'paused') beats.push({ body: chance.pick(PAUSE_NOTES), status })
  if (status === 'cancelled') beats.push({ body: chance.pick(CANCEL_NOTES), status })
  if (isEnd)
    beats.push({ body: chance.pick(turn % 4 === 0 ? PARTLY_DONE_NOTES : DONE_NOTES), status })
  return beats
}

/** The rows of a plan and of its updates, oldest first. */
export function tellPlan(teller: Teller, subject: Subject) {
  const { organisation_id, people, now, next, chance } = teller
  const { story, status, account, turn } = subject
  const { start, end, last } = spanOf(status, chance)
  const at = (day: number) => new Date(now.getTime() + day * DAY - chance.between(1, 5) * 3_600_000)
  const day = (offset: number) => new Date(now.getTime() + offset * DAY).toISOString().slice(0, 10)
  const beats = beatsOf(subject, chance)
  const created = at(Math.min(start, 0) - chance.between(3, 12))
  const plan_id = chance.id(created)
  const owner_id = people[turn % people.length] ?? ''
  const fill = (text: string) =>
    text
      .replaceAll('{contact}', account?.contact ?? 'Our sponsor')
      .replaceAll('{account}', account?.row.name ?? 'the team')

  let progress = 0
  let health: Health | null = null
  let current: PlanStatus = 'planned'
  const outcome = status !== 'completed' ? null : turn % 4 === 0 ? 'partially-achieved' : 'achieved'
  const updates = beats.map((beat, index): Insertable<Tables['success_plan_updates']> => {
    const written = at(start + ((last - start) * index) / Math.max(1, beats.length - 1))
    const synced = new Date(written.getTime() + chance.between(0, 9) * 60_000 * (turn % 3))
    const isDone = beat.status === 'completed' && outcome === 'achieved'
    const target = isDone ? 100 : Math.min(94, progress + (beat.step ?? 0))
    const moves = target !== progress
    const row = {
      organisation_id,
      id: chance.id(written),
      success_plan_id: plan_id,
      // Mostly the owner speaks, now and then a colleague.
      user_id: chance.between(0, 3) === 0 ? chance.pick(people) : owner_id,
      body: fill(beat.body),
      health: beat.health ?? null,
      progress_from: moves ? progress : null,
      progress_to: moves ? target : null,
      status_from: beat.status ? current : null,
      status_to: beat.status ?? null,
      written_at: written.toISOString(),
      created_at: synced.toISOString(),
      version: next(),
    }
    progress = target
    health = beat.health ?? health
    current = beat.status ?? current
    return row
  })
  const newest = updates.at(-1)
  const closed = status === 'completed' || status === 'cancelled'
  const plan: Insertable<Tables['success_plans']> = {
    organisation_id,
    id: plan_id,
    title: titleOf(subject),
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
    update_cadence_days: ([7, 14, 30, null] as const)[turn % 4] ?? null,
    last_update_at: newest?.written_at ?? null,
    version: next(),
    created_by: owner_id,
    created_at: created.toISOString(),
    updated_at: newest?.created_at ?? created.toISOString(),
  }
  return { plan, updates }
}

function titleOf({ story, account, turn }: Subject): string {
  const title = story.titles[Math.floor(turn / 8) % story.titles.length] ?? ''
  return account ? `${account.row.name}: ${title.charAt(0).toLowerCase()}${title.slice(1)}` : title
}
