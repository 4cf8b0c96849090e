// Searches plans, accounts and updates on the device. Pure.
import type { Account } from '../../../contract/schemas/accounts.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/schemas/success-plans.ts'

/** A result, and whether it is stored on this device or was returned by the server. */
export type SearchResult = { key: string; onDevice: boolean } & (
  | { kind: 'plan'; record: PlanResult }
  | { kind: 'account'; record: Account }
  | { kind: 'update'; record: SuccessPlanUpdate; plan: SuccessPlan | undefined; excerpt: string }
)

/** The fields of a plan that both the device and the server return. */
export type PlanResult = Pick<SuccessPlan, 'id' | 'title' | 'status' | 'end_date' | 'progress'>

/** Everything searchable on the device; undefined for what has not been read yet. */
export interface DeviceRecords {
  plans: readonly SuccessPlan[] | undefined
  accounts: readonly Account[] | undefined
  updates: readonly SuccessPlanUpdate[] | undefined
}

/** As many as can be scanned at a glance; the list of plans has the rest. */
export const MAX_RESULTS = { plan: 8, account: 4, update: 4 } as const
const EXCERPT_LEAD_CHARS = 24
const EXCERPT_CHARS = 90

/**
 * Prepares a search over the records on the device: plans by title, accounts by name, updates by text.
 * The prepared index is reused for every keystroke.
 */
export function deviceSearch({ plans = [], accounts = [], updates = [] }: DeviceRecords) {
  const inPlans = finder(plans, MAX_RESULTS.plan, ({ title }) => title)
  const inAccounts = finder(accounts, MAX_RESULTS.account, ({ name }) => name)
  const inUpdates = finder(updates, MAX_RESULTS.update, ({ body }) => body)
  return (typed: string): SearchResult[] => {
    const sought = typed.trim().toLowerCase()
    if (sought === '') return []
    const onDevice = true
    return [
      ...inPlans(sought).map((record): SearchResult => ({
        key: `plan:${record.id}`,
        kind: 'plan',
        onDevice,
        record,
      })),
      ...inAccounts(sought).map((record): SearchResult => ({
        key: `account:${record.id}`,
        kind: 'account',
        onDevice,
        record,
      })),
      ...inUpdates(sought).map((record): SearchResult => ({
        key: `update:${record.id}`,
        kind: 'update',
        onDevice,
        record,
        plan: plans.find(({ id }) => id === record.success_plan_id),
        excerpt: excerptOf(record.body, sought),
      })),
    ]
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

/**
 * Stops once `limit` results are found, so that a keystroke does not scan all of ten thousand records.
 */
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

/** The text around the match, on one line. */
function excerptOf(body: string, sought: string): string {
  const line = body.replaceAll(/\s+/g, ' ')
  const at = line.toLowerCase().indexOf(sought)
  const from = Math.max(0, at - EXCERPT_LEAD_CHARS)
  const to = Math.min(line.length, from + EXCERPT_CHARS)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}
