// Finds plans, accounts and updates on the device. Pure.
import type { Account } from '../../../contract/accounts.ts'
import type { SuccessPlan, SuccessPlanUpdate } from '../../../contract/success-plans.ts'

/** A record that was found, and whether it is on this device or was told by the server. */
export type Found = { key: string; here: boolean } & (
  | { kind: 'plan'; record: PlanFound }
  | { kind: 'account'; record: Account }
  | { kind: 'update'; record: SuccessPlanUpdate; plan: SuccessPlan | undefined; excerpt: string }
)

export type PlanFound = Pick<SuccessPlan, 'id' | 'title' | 'status' | 'end_date' | 'progress'>

/** All that is on the device; undefined for what has not been read yet. */
export interface Known {
  plans: readonly SuccessPlan[] | undefined
  accounts: readonly Account[] | undefined
  updates: readonly SuccessPlanUpdate[] | undefined
}

/** As many as are looked through by eye; the list of plans has the others. */
export const MOST = { plan: 8, account: 4, update: 4 } as const
const BEFORE = 24
const EXCERPT = 90

/**
 * Finds what on the device contains what was typed: plans by their title, accounts by their name, updates
 * by their words. What was made ready for one key is there for the next.
 */
export function deviceSearch({ plans = [], accounts = [], updates = [] }: Known) {
  const inPlans = finder(plans, MOST.plan, ({ title }) => title)
  const inAccounts = finder(accounts, MOST.account, ({ name }) => name)
  const inUpdates = finder(updates, MOST.update, ({ body }) => body)
  return (typed: string): Found[] => {
    const sought = typed.trim().toLowerCase()
    if (sought === '') return []
    const here = true
    return [
      ...inPlans(sought).map((record): Found => ({
        key: `plan:${record.id}`,
        kind: 'plan',
        here,
        record,
      })),
      ...inAccounts(sought).map((record): Found => ({
        key: `account:${record.id}`,
        kind: 'account',
        here,
        record,
      })),
      ...inUpdates(sought).map((record): Found => ({
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
export function withServer(
  found: readonly Found[],
  told: readonly PlanFound[],
  isHere: (id: string) => boolean,
): Found[] {
  const joined = told.filter(({ id }) => !isHere(id))
  return [
    ...found,
    ...joined.map((record): Found => ({
      key: `plan:${record.id}`,
      kind: 'plan',
      here: false,
      record,
    })),
  ]
}

/** Stops at the last one that is shown: a key is answered after a look at few of ten thousand. */
function finder<T>(records: readonly T[], most: number, textOf: (record: T) => string) {
  const lowered: string[] = []
  return (sought: string): T[] => {
    const found: T[] = []
    for (const [index, record] of records.entries()) {
      if (found.length === most) break
      if ((lowered[index] ??= textOf(record).toLowerCase()).includes(sought)) found.push(record)
    }
    return found
  }
}

/** The words round what was sought, in one line. */
function excerptOf(body: string, sought: string): string {
  const line = body.replaceAll(/\s+/g, ' ')
  const at = line.toLowerCase().indexOf(sought)
  const from = Math.max(0, at - BEFORE)
  const to = Math.min(line.length, from + EXCERPT)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}
