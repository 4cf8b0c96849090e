// The calls that bring the contents of an archive into an organisation: ordinary creates, edits and updates,
// in an order in which each finds what it refers to. Pure.
import { validateForm } from '../../../contract/errors.ts'
import { transitionsFrom } from '../../../contract/rules.ts'
import { isUuid } from '../../../contract/schemas/fields.ts'
import { fieldName, fieldValue } from '../../data/operations/field-labels.ts'
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
import {
  BODIES,
  filled,
  instant,
  keptCall,
  knownCall,
  postable,
  type Keeps,
  type RestoreCall,
  type Restoring,
  type Table,
} from './restoring.ts'
import { firstStatus, statusPath } from './status-path.ts'
import { archiveMessages, problemMessages as messages } from './messages.ts'

/** The organisation that is imported into, as the device sees it now. */
export interface Target {
  organisation_id: string
  /** The base URLs of its API, the present one and earlier ones. */
  apis: readonly string[]
  user: Person
  members: readonly Person[]
  existing: Omit<Contents, 'people'>
  /** The ids that the server has given to records which this device has created, by the device's own. */
  aliases: ReadonlyMap<string, { id: string }>
  isUnsent: Restoring['isUnsent']
  keeps: Keeps
  /** Whether the import adds the archive's templates, with the ids that it gives them. */
  addsTemplates: boolean
  /** The plans whose updates are not on the device: nothing tells what they lack. */
  plansWithoutUpdates: readonly string[]
}

export interface Restoration {
  calls: RestoreCall[]
  /** How many records are new, and how many are here already. */
  counts: Record<RecordCollection, { added: number; known: number }>
  /** People of the archive who are no members here, and have written or own something. */
  missing: string[]
  problems: Problem[]
  /** Words that the app does not know, and values that are not valid, each with its field. They are left out. */
  unknown: string[]
}

/** How to bring the contents into the organisation. Nothing that is there already is made again. */
export function restore(
  { organisation }: Manifest,
  contents: Contents,
  target: Target,
): Restoration {
  const { existing, user, isUnsent } = target
  const here = {
    templates: byId(existing.templates),
    accounts: byId(existing.accounts),
    success_plans: byId(existing.success_plans),
    success_plan_updates: byId(existing.success_plan_updates),
    initiatives: byId(existing.initiatives),
    actions: byId(existing.actions),
  }
  const { api = '' } = organisation
  // Servers that number their ids all have an organisation 1.
  const isNumbered = !isUuid(organisation.id)
  const isOwn =
    organisation.id === target.organisation_id && (!isNumbered || target.apis.includes(api))
  const isHere = (table: Table, id: string) =>
    table in here && here[table as RecordCollection].has(id)
  const idOf = (table: Table, id: string) => {
    // In the organisation that the archive is of, a record has its own id.
    if (isOwn && isHere(table, id)) return id
    // Imports of earlier builds have made the ids of UUIDs from them alone.
    const key = isUuid(id) ? id : `${isNumbered && api ? `${api} ` : ''}${table} ${id}`
    const parts = ['archive', organisation.id, key, target.organisation_id]
    let made = importedId(...parts)
    for (let alias = target.aliases.get(made); alias; alias = target.aliases.get(made)) {
      if (isHere(table, alias.id)) return alias.id
      // It was deleted: made again, it is another record of the server.
      made = importedId(...parts, alias.id)
    }
    return made
  }
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
  const restoring: Restoring = { idOf, memberOf, signed, user_id: user.id, isUnsent }
  const withoutUpdates = new Set(target.plansWithoutUpdates)
  const isWithoutUpdates = (plan_id: string) => withoutUpdates.has(idOf('success_plans', plan_id))

  const problems: Problem[] = []
  const calls: RestoreCall[] = []
  const unknown = new Set<string>()
  const addUnknown = (path: string, of: unknown) => {
    const keys = path.split('.')
    const value = keys.reduce((at, key) => (Object(at) as Record<string, unknown>)[key], of)
    // Some servers store what a form leaves blank.
    if (typeof value === 'string' && value.trim() === '') return
    const text = fieldValue('', value, () => undefined)
    unknown.add(archiveMessages.word(fieldName(keys[0] ?? ''), text))
  }
  const add = (collection: Collection, line: number, made: readonly RestoreCall[]) => {
    for (const step of made) {
      const kept = keptCall(step, target.keeps)
      if (!kept) continue
      const { known, unknown: paths } = knownCall(kept)
      for (const path of paths) addUnknown(path, kept.input.body)
      if (!known) continue
      const { call, input } = known
      const checked = validateForm(BODIES[call], input.body)
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
    contents[collection].filter(
      (one) =>
        here[collection].has(idOf(collection, one.id)) ||
        ('success_plan_id' in one && 'written_at' in one && isWithoutUpdates(one.success_plan_id)),
    ).length
  const counts = Object.fromEntries(
    RECORD_COLLECTIONS.map((name) => {
      const count = known(name)
      return [name, { added: contents[name].length - count, known: count }]
    }),
  ) as Restoration['counts']

  for (const [line, template] of contents.templates.entries())
    if (!here.templates.has(idOf('templates', template.id)))
      add('templates', line, [createTemplate(template, restoring)])
  for (const [line, account] of contents.accounts.entries()) {
    const known = here.accounts.get(idOf('accounts', account.id))
    add('accounts', line, restoreAccount(account, known, restoring))
  }
  const parents = {
    accounts: byId(contents.accounts),
    success_plans: byId(contents.success_plans),
    initiatives: byId(contents.initiatives),
  }
  /** What the archive does not have is left out of a record. */
  const parent = (of: keyof typeof parents, id: string | null) =>
    id !== null && parents[of].has(id) ? idOf(of, id) : undefined
  const templates = byId(contents.templates)
  const templateOf = (id: string | null) => {
    const own = id === null ? null : idOf('templates', id)
    if (id === null || own === null) return null
    return here.templates.has(own) || (target.addsTemplates && templates.has(id)) ? own : null
  }
  const updates = Map.groupBy(
    contents.success_plan_updates.map((one, line) => ({ update: postable(one), line })),
    ({ update }) => update.success_plan_id,
  )
  const counted = contents.actions.filter(({ status }) => status !== 'cancelled')
  const ofInitiatives = new Set(counted.map(({ initiative_id }) => initiative_id))
  const ofPlans = new Set(counted.map(({ success_plan_id }) => success_plan_id))
  for (const [line, plan] of contents.success_plans.entries()) {
    const history = updates.get(plan.id) ?? []
    const account_id = parent('accounts', plan.account_id) ?? null
    const template_id = templateOf(plan.template_id)
    const known = here.success_plans.get(idOf('success_plans', plan.id))
    if (!known && isUnknown(plan.status)) addUnknown('status', plan)
    const progress = Math.round(plan.progress)
    for (const step of restorePlan({ ...plan, progress, account_id, template_id }, history, {
      ...restoring,
      known,
      hasActions: ofPlans.has(plan.id),
      isHere: (id) =>
        isWithoutUpdates(plan.id) ||
        here.success_plan_updates.has(target.aliases.get(id)?.id ?? id),
    }))
      add(step.line === undefined ? 'success_plans' : 'success_plan_updates', step.line ?? line, [
        step,
      ])
  }
  for (const [line, one] of contents.initiatives.entries()) {
    const { id, title, description, health, owner_id, start_date, end_date, position, status } = one
    const own = idOf('initiatives', id)
    const before = here.initiatives.get(own)
    if (!before && isUnknown(status)) addUnknown('status', one)
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
      success_plan_id: parent('success_plans', one.success_plan_id),
      account_id: parent('accounts', one.account_id),
    }
    const lacksProgress = before?.progress !== 100 && !ofInitiatives.has(id)
    // One that was changed since it was imported stays as it is.
    const isUntouched = !before || (isUnsent('initiatives', own) && before.status === first)
    add('initiatives', line, [
      ...(before ? [] : [{ call: 'createInitiative' as const, input: { body: filled(body) } }]),
      ...(isUntouched ? initiativePath(first, one, lacksProgress) : []).map((next) => ({
        call: 'updateInitiative' as const,
        input: { path: { id: own }, body: { status: next } },
      })),
    ])
  }
  for (const [line, one] of contents.actions.entries()) {
    const { id, title, description, status, priority, due_date, position } = one
    const own = idOf('actions', id)
    if (here.actions.has(own)) continue
    const body = {
      id: own,
      title,
      description,
      status,
      priority,
      due_date,
      position,
      completed_at: instant(one.completed_at),
      assignee_id: memberOf(one.assignee_id),
      assignee_contact: one.assignee_contact,
      success_plan_id: parent('success_plans', one.success_plan_id),
      initiative_id: parent('initiatives', one.initiative_id),
      account_id: parent('accounts', one.account_id),
    }
    add('actions', line, [{ call: 'createAction', input: { body: filled(body) } }])
  }
  return { calls, counts, missing: [...missing].toSorted(), problems, unknown: [...unknown] }
}

/**
 * The statuses to go through. Only completing sets the progress to 100, so an initiative that was completed before is
 * completed first.
 */
function initiativePath(
  first: string,
  { status, progress }: Contents['initiatives'][number],
  lacksProgress: boolean,
) {
  const wasCompleted = lacksProgress && progress === 100 && !isUnknown(status)
  const way = wasCompleted ? ['completed', status] : [status]
  let from = first
  return way.flatMap((to) => {
    const path = statusPath(from, to) ?? []
    from = to
    return path
  })
}

/** A status without transitions: each status that this build knows has one. */
const isUnknown = (status: string) => transitionsFrom(status).length === 0

const byId = <T extends { id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.id, record]))

function createTemplate(template: Contents['templates'][number], { idOf }: Restoring): RestoreCall {
  const { title, description, type, duration_days, update_cadence_days, initiatives } = template
  const body = { title, description, type, duration_days, update_cadence_days, initiatives }
  return {
    call: 'createTemplate',
    input: { body: { ...filled(body), id: idOf('templates', template.id) } },
  }
}
