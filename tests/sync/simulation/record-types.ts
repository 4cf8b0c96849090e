// What the ledger knows of one thing that somebody said.
import type { Operation } from '../../../src/sync/core/operation.ts'

/** What became of one thing that somebody said. */
export interface LedgerEntry {
  id: string
  /** In which order it was committed to the device, whatever `seq` says. */
  order: number
  text: string
  input: string
  user_id: string
  organisation_id: string | null
  lane: string
  creates: string | undefined
  mentions: readonly string[]
  /** The screen has said "Saved on this device". */
  confirmed: boolean
  /** How often it took effect on the server. */
  applied: number
  /** It has needed attention: its place in the lane was given up. */
  rejected: boolean
  /** The user took it back, or said it differently. */
  discarded: boolean
  /** It was said differently: these words must not arrive any more. */
  replaced: boolean
  /** Not to be sent before, in the world's time. */
  not_before: number
  /** The record that it changes, as its author has seen it: the server's copy, and what was shown. */
  seen: readonly Fields[] | undefined
}

export type Fields = Record<string, unknown>

/** Whether what is said in its place says all of it. */
export function isContainedIn(was: Operation, instead: readonly Operation[]): boolean {
  const { id: _id, written_at: _at, ...fields } = (was.input.body ?? {}) as Fields
  return Object.entries(fields).every(([name, value]) =>
    instead.some((one) => (one.input.body as Fields)[name] === value),
  )
}
