// What the ledger records of each operation.
import type { Operation } from '../../../src/sync/core/operation.ts'

/** The history of one operation. */
export interface LedgerEntry {
  id: string
  /** Its position in the order of commits, independent of `seq`. */
  order: number
  text: string
  input: string
  user_id: string
  organisation_id: string | null
  lane: string
  creates: string | undefined
  mentions: readonly string[]
  /** The screen showed "Saved on this device". */
  confirmed: boolean
  /** How often it took effect on the server. */
  applied: number
  /** It needed attention: its position in the lane no longer counts. */
  rejected: boolean
  /** The user discarded or edited it. */
  discarded: boolean
  /** It was edited: this version must not arrive any more. */
  replaced: boolean
  /** Not to be sent before, in virtual epoch milliseconds. */
  not_before: number
  /** The record it changes, as its author saw it: in the replica, and on the screen. */
  seen: readonly Fields[] | undefined
}

export type Fields = Record<string, unknown>

/** Whether the operations that replace `was` contain all its values. */
export function isContainedIn(was: Operation, instead: readonly Operation[]): boolean {
  const { id: _id, written_at: _at, ...fields } = (was.input.body ?? {}) as Fields
  return Object.entries(fields).every(([name, value]) =>
    instead.some((one) => (one.input.body as Fields)[name] === value),
  )
}
