// The calls that bring the contents of an archive into an organisation: ordinary creates, edits and updates,
// in an order in which each finds what it refers to. Pure.
import { validate } from '../../../contract/errors.ts'
import { importedId, namingAuthor } from '../import/imported-id.ts'
import {
  fileOf,
  RECORD_COLLECTIONS,
  type Collection,
  type Contents,
  type Manifest,
  type Person,
  type RecordCollection,
} from './format.ts'
import type { Problem } from './read-archive.ts'
import { restoreAccount } from './restore-account.ts'
import { restorePlan } from './restore-plan.ts'
import { BODIES, filled, type RestoreCall, type Restoring } from './restoring.ts'
import { firstStatus, statusPath } from './status-path.ts'
import { problemMessages as messages } from './messages.ts'

/** The organisation that is imported into, as the device sees it now. */
export interface Target {
  organisation_id: string
  user: Person
  members: readonly Person[]
  existing: Omit<Contents, 'people'>
}

export interface Restoration {
  calls: RestoreCall[]
  /** How many records are new, and how many are here already. */
  counts: Record<RecordCollection, { added: number; known: number }>
  /** People of the archive who are no members here, and have written or own something. */
  missing: string[]
  problems: Problem[]
}

/** How to bring the contents into the organisation. Nothing that is there already is made again. */
export function restore(
  { organisation }: Manifest,
  contents: Contents,
  target: Target,
): Restoration {
  const { existing, user } = target
  const here = new Map<string, { version: number; status?: string }>(
    RECORD_COLLECTIONS.flatMap((name) => [...existing[name]]).map((record) => [record.id, record]),
  )
  // In the organisation that the archive is of, a record has its own id.
  const idOf = (id: string) =>
    here.has(id) ? id : importedId('archive', organisation.id, id, target.organisation_id)
  const people = new Map(contents.people.map((person) => [person.id, person]))
  // Former members have no address, so an empty one identifies no user.
  const members = new Map(
    target.members
      .filter(({ email }) => email !== '')
      .map(({ id, email }) => [email.toLowerCase(), id]),
  )
  const missing = new Set<string>()
  const memberOf = (id: string | null) => {
    const person = id === null ? undefined : people.get(id)
    if (!person) return undefined
    const member = members.get(person.email.toLowerCase())
    if (member === undefined) missing.add(person.name)
    return member
  }
  const signed = (body: string, author_id: string | null) => {
    const author = author_id === null ? undefined : people.get(author_id)
    return !author || memberOf(author_id) === user.id ? body : namingAuthor(body, author.name)
  }
  const restoring: Restoring = { idOf, memberOf, signed, user_id: user.id }

  const problems: Problem[] = []
  const calls: RestoreCall[] = []
  const add = (collection: Collection, line: number, made: readonly RestoreCall[]) => {
    for (const { call, input } of made) {
      const checked = validate(BODIES[call], input.body)
      if (checked.ok) calls.push({ call, input: { ...input, body: checked.value } })
      else
        for (const [field, reasons] of Object.entries(checked.errors))
          problems.push({
            file: fileOf(collection),
            line: line + 1,
            reason: messages.field(field, reasons[0] ?? ''),
          })
    }
  }
  const known = (collection: RecordCollection) =>
    contents[collection].filter(({ id }) => here.has(idOf(id))).length
  const counts = Object.fromEntries(
    RECORD_COLLECTIONS.map((name) => {
      const count = known(name)
      return [name, { added: contents[name].length - count, known: count }]
    }),
  ) as Restoration['counts']

  for (const [line, template] of contents.templates.entries())
    if (!here.has(idOf(template.id))) add('templates', line, [createTemplate(template, restoring)])
  const accounts = new Map(existing.accounts.map((account) => [account.id, account]))
  for (const [line, account] of contents.accounts.entries())
    add('accounts', line, restoreAccount(account, accounts.get(idOf(account.id)), restoring))
  const ids = new Set(
    [...contents.accounts, ...contents.success_plans, ...contents.initiatives].map(({ id }) => id),
  )
  /** What the archive does not have is left out of a record. */
  const parent = (id: string | null) => (id !== null && ids.has(id) ? idOf(id) : undefined)
  const plans = new Map(existing.success_plans.map((plan) => [plan.id, plan]))
  const updates = Map.groupBy(
    contents.success_plan_updates.map((update, line) => ({ update, line })),
    ({ update }) => update.success_plan_id,
  )
  for (const [line, plan] of contents.success_plans.entries()) {
    const history = updates.get(plan.id) ?? []
    const account_id = parent(plan.account_id)
    for (const step of restorePlan({ ...plan, account_id: account_id ?? null }, history, {
      ...restoring,
      known: plans.get(idOf(plan.id)),
      isHere: (id) => here.has(id),
    }))
      add(step.line === undefined ? 'success_plans' : 'success_plan_updates', step.line ?? line, [
        step,
      ])
  }
  for (const [line, one] of contents.initiatives.entries()) {
    const { id, title, description, health, owner_id, start_date, end_date, position, status } = one
    const own = idOf(id)
    const before = here.get(own)
    const first = firstStatus(status)
    const body = {
      id: own,
      title,
      description,
      health,
      owner_id: memberOf(owner_id),
      start_date,
      end_date,
      position,
      status: first,
      success_plan_id: parent(one.success_plan_id),
      account_id: parent(one.account_id),
    }
    // One that was changed since it was imported stays as it is.
    const isUntouched = !before || (before.version === 0 && before.status === first)
    add('initiatives', line, [
      ...(before ? [] : [{ call: 'createInitiative' as const, input: { body: filled(body) } }]),
      ...(isUntouched ? (statusPath(first, status) ?? []) : []).map((next) => ({
        call: 'updateInitiative' as const,
        input: { path: { id: own }, body: { status: next } },
      })),
    ])
  }
  for (const [line, one] of contents.actions.entries()) {
    const { id, title, description, status, priority, due_date, position } = one
    if (here.has(idOf(id))) continue
    const body = {
      id: idOf(id),
      title,
      description,
      status,
      priority,
      due_date,
      position,
      completed_at: one.completed_at,
      assignee_id: memberOf(one.assignee_id),
      assignee_contact: one.assignee_contact,
      success_plan_id: parent(one.success_plan_id),
      initiative_id: parent(one.initiative_id),
      account_id: parent(one.account_id),
    }
    add('actions', line, [{ call: 'createAction', input: { body: filled(body) } }])
  }
  return { calls, counts, missing: [...missing].toSorted(), problems }
}

function createTemplate(template: Contents['templates'][number], { idOf }: Restoring): RestoreCall {
  const { title, description, type, duration_days, update_cadence_days, initiatives } = template
  const body = { title, description, type, duration_days, update_cadence_days, initiatives }
  return {
    call: 'createTemplate',
    input: { body: { ...filled(body), id: idOf(template.id) } },
  }
}
