// Finds plans, accounts and updates on the device. Pure.
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'

/** A record that was found, and whether it is on this device or was told by the server. */
export type SearchResult = { key: string; here: boolean } & (
  | { kind: 'plan'; record: PlanResult }
  | { kind: 'account'; record: Account }
  | { kind: 'update'; record: SuccessPlanUpdate; plan: SuccessPlan | undefined; excerpt: string }
)

export type PlanResult = Pick<SuccessPlan, 'id' | 'title' | 'status' | 'end_date' | 'progress'>

/** All that is on the device; undefined for what has not been read yet. */
export interface DeviceRecords {
  plans: readonly SuccessPlan[] | undefined
  accounts: readonly Account[] | undefined
  updates: readonly SuccessPlanUpdate[] | undefined
}

/** As many as are looked through by eye; the list of plans has the others. */
export const MAX_RESULTS = { plan: 8, account: 4, update: 4 } as const
const EXCERPT_LEAD_CHARS = 24
const EXCERPT_CHARS = 90

/**
 * Finds what on the device contains what was typed: plans by their title, accounts by their name, updates
 * by their words. What was made ready for one key is there for the next.
 */
export function deviceSearch({ plans = [], accounts = [], updates = [] }: DeviceRecords) {
  const inPlans = finder(plans, MAX_RESULTS.plan, ({ title }) => title)
  const inAccounts = finder(accounts, MAX_RESULTS.account, ({ name }) => name)
  const inUpdates = finder(updates, MAX_RESULTS.update, ({ body }) => body)
  return (typed: string): SearchResult[] => {
    const sought = typed.trim().toLowerCase()
    if (sought === '') return []
    const here = true
    return [
      ...inPlans(sought).map((record): SearchResult => ({
        key: `plan:${record.id}`,
        kind: 'plan',
        here,
        record,
      })),
      ...inAccounts(sought).map((record): SearchResult => ({
        key: `account:${record.id}`,
        kind: 'account',
        here,
        record,
      })),
      ...inUpdates(sought).map((record): SearchResult => ({
        key: `update:${record.id}`,
        kind: 'update',
        here,
        record,
        plan: plans.find(({ id }) => id === record.success_plan_id),
        excerpt: excerptOf(record.body, sought),
      })),
    ]
  }
}

/** With what the server found beyond that, at the end: nothing that stands there moves. */
export function withServerResults(
  found: readonly SearchResult[],
  serverPlans: readonly PlanResult[],
  isHere: (id: string) => boolean,
): SearchResult[] {
  const added = serverPlans.filter(({ id }) => !isHere(id))
  return [
    ...found,
    ...added.map((record): SearchResult => ({
      key: `plan:${record.id}`,
      kind: 'plan',
      here: false,
      record,
    })),
  ]
}

/** Stops at the last one that is shown: a key is answered after a look at few of ten thousand. */
function finder<T>(records: readonly T[], limit: number, textOf: (record: T) => string) {
  const lowerCased: string[] = []
  return (sought: string): T[] => {
    const found: T[] = []
    for (const [index, record] of records.entries()) {
      if (found.length === limit) break
      if ((lowerCased[index] ??= textOf(record).toLowerCase()).includes(sought)) found.push(record)
    }
    return found
  }
}

/** The words round what was sought, in one line. */
function excerptOf(body: string, sought: string): string {
  const line = body.replaceAll(/\s+/g, ' ')
  const at = line.toLowerCase().indexOf(sought)
  const from = Math.max(0, at - EXCERPT_LEAD_CHARS)
  const to = Math.min(line.length, from + EXCERPT_CHARS)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}
