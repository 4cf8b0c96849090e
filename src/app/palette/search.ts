// Searches the records on the device, the best match first. Pure.
import { isPlanOpen } from '../../../contract/rules.ts'
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { Action } from '../../../contract/schemas/actions.ts'
import type { Initiative } from '../../../contract/schemas/initiatives.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'
import type { Template } from '../../../contract/schemas/templates.ts'
import { isActionOpen } from '../../data/success-plans/action-rules.ts'
import { isInitiativeOpen } from '../../data/success-plans/initiative-rules.ts'
import { foldText } from '../../ui/text/fold-text.ts'
import { finderOf, firstMatchesOf } from './rank.ts'

/** The fields of a plan that both the device and the server return. */
export type PlanResult = Pick<SuccessPlan, 'id' | 'title' | 'status' | 'end_date' | 'progress'>

/** A person at a customer, and the account they belong to. */
export interface ContactResult {
  id: string
  name: string
  account: Account
  /** Job title, role and e-mail address. */
  details: string[]
}

/** What is found of each kind. */
interface Found {
  account: Account
  plan: PlanResult
  contact: ContactResult
  initiative: Initiative
  action: Action
  template: Template
  update: SuccessPlanUpdate
}
export type ResultKind = keyof Found

/** A result, and whether it is stored on this device or was returned by the server. */
export type SearchResult = {
  [K in ResultKind]: { key: string; onDevice: boolean; kind: K; record: Found[K] }
}[ResultKind]

/** Everything searchable on the device; undefined for what has not been read yet. */
export interface DeviceRecords {
  plans?: readonly SuccessPlan[] | undefined
  accounts?: readonly Account[] | undefined
  initiatives?: readonly Initiative[] | undefined
  actions?: readonly Action[] | undefined
  templates?: readonly Template[] | undefined
  updates?: readonly SuccessPlanUpdate[] | undefined
}

/** As many as can be scanned at a glance; the lists have the rest. */
export const MAX_RESULTS = {
  account: 4,
  plan: 8,
  contact: 4,
  initiative: 4,
  action: 4,
  template: 3,
  update: 4,
} as const satisfies Record<ResultKind, number>
/** Of all kinds together: more take longer to paint than a key may. */
const MAX_ROWS = 16
/** In this order among results that match equally well. */
const KINDS = Object.keys(MAX_RESULTS) as ResultKind[]

const NONE: readonly never[] = []
const EXCERPT_LEAD_CHARS = 24
const EXCERPT_CHARS = 90

/**
 * Prepares a search over the records on the device: accounts by name, contacts by name and their other fields, plans,
 * initiatives, actions and templates by title, updates by text. Results that start with the typed text come first,
 * then those with a word that does, those that contain it, and those that have its words in any order; among these an
 * account before a plan, and open before closed. The prepared index is reused for every keystroke.
 */
export function deviceSearch(records: DeviceRecords) {
  const { plans = NONE, accounts = NONE, initiatives = NONE } = records
  const { actions = NONE, templates = NONE, updates = NONE } = records
  const contacts = accounts.flatMap((account) =>
    account.contacts.map(({ id, name, title, role, email }): ContactResult => ({
      id: `${account.id}:${id}`,
      name,
      account,
      details: [title, role, email].filter((detail) => detail !== null),
    })),
  )
  const titleOf = ({ title }: { title: string }) => title
  const nameOf = ({ name }: { name: string }) => name
  const plansById = new Map(plans.map((plan) => [plan.id, plan]))
  const planOf = ({ success_plan_id }: { success_plan_id: string | null }) =>
    plansById.get(success_plan_id ?? '')
  const finders = {
    account: finderOf({ records: accounts, textOf: nameOf, limit: MAX_RESULTS.account }),
    plan: finderOf({
      records: plans,
      textOf: titleOf,
      isOpen: isPlanOpen,
      limit: MAX_RESULTS.plan,
    }),
    contact: finderOf({
      records: contacts,
      textOf: ({ name, details, account }) => [name, ...details, account.name].join('\n'),
      limit: MAX_RESULTS.contact,
    }),
    initiative: finderOf({
      records: initiatives,
      textOf: titleOf,
      isOpen: (initiative) => isInitiativeOpen(initiative, planOf(initiative)),
      limit: MAX_RESULTS.initiative,
    }),
    action: finderOf({
      records: actions,
      textOf: titleOf,
      isOpen: (action) => isActionOpen(action, planOf(action)),
      limit: MAX_RESULTS.action,
    }),
    template: finderOf({ records: templates, textOf: titleOf, limit: MAX_RESULTS.template }),
    update: firstMatchesOf({
      records: updates,
      textOf: ({ body }) => body,
      limit: MAX_RESULTS.update,
    }),
  }
  return (typed: string): SearchResult[] => {
    const sought = foldText(typed).trim()
    if (sought === '') return []
    const found = KINDS.flatMap((kind) =>
      finders[kind](sought).map(({ record, rank }) => ({
        rank,
        result: { key: `${kind}:${record.id}`, kind, onDevice: true, record } as SearchResult,
      })),
    )
    const sorted = found.toSorted((a, b) => a.rank - b.rank).map(({ result }) => result)
    // Updates come last, and keep their rows however many titles match.
    const isUpdate = ({ kind }: SearchResult) => kind === 'update'
    const updates = sorted.filter(isUpdate)
    const others = sorted.filter((one) => !isUpdate(one))
    return [...others.slice(0, MAX_ROWS - updates.length), ...updates]
  }
}

/** Appends server results that are not on the device, so that the rows above do not move. */
export function withServerResults(
  found: readonly SearchResult[],
  serverPlans: readonly PlanResult[],
  isOnDevice: (id: string) => boolean,
): SearchResult[] {
  const added = serverPlans.filter(({ id }) => !isOnDevice(id))
  return [
    ...found,
    ...added.map((record): SearchResult => ({
      key: `plan:${record.id}`,
      kind: 'plan',
      onDevice: false,
      record,
    })),
  ]
}

/** The text of an update around what was typed, on one line. */
export function excerptOf(body: string, typed: string): string {
  const line = body.replaceAll(/\s+/g, ' ')
  const sought = foldText(typed).trim()
  const [word = ''] = sought.split(/\s+/)
  const text = foldText(line)
  const found = text.includes(sought) ? text.indexOf(sought) : text.indexOf(word)
  const from = Math.max(0, unfoldedAt(line, found) - EXCERPT_LEAD_CHARS)
  const to = Math.min(line.length, from + EXCERPT_CHARS)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}

/** Where in a text the place `at` of its folded text is, which may be longer or shorter. */
function unfoldedAt(text: string, at: number): number {
  let place = 0
  let folded = 0
  for (const letter of text) {
    if (folded >= at) break
    folded += foldText(letter).length
    place += letter.length
  }
  return place
}
