// What the ledger records of each operation.
import { isDeepStrictEqual } from 'node:util'
import { progressAtCompletion } from '../../../contract/rules.ts'
import type { NetworkRequest } from '../../../src/sync/core/ports.ts'
import type { Operation } from '../../../src/sync/core/operation.ts'
import type { SimulatedProcess } from './simulated-environment.ts'

/** The history of one operation. */
export interface LedgerEntry {
  id: string
  endpoint: string
  /** Its position in the order of commits, independent of `seq`. */
  order: number
  text: string
  input: string
  user_id: string
  organisation_id: string | null
  lane: string
  creates: string | undefined
  /** The id of the record that it deletes. */
  deletes: string | undefined
  mentions: readonly string[]
  /** The screen showed "Saved on this device". */
  confirmed: boolean
  /** The number of effects on the server before it was stored, and with its own. */
  storedAt: number
  appliedAt: number
  /** When it was stored, in virtual time. */
  committed_at: number
  /** When its author last decided about it, in virtual time; 0 before. What was stored by then was in view. */
  decided_at: number
  /** The version of the edited record with its effect, and how often the database had moved. */
  effect: { version: number; moves: number } | undefined
  /** How often it took effect on the server. */
  applied: number
  /** It needed attention, or deleted what was not there: its position in the lane no longer counts. */
  rejected: boolean
  /** It waited for the answer to a question about a field that it sets: its position does not count. */
  waited: boolean
  /** The last position in its lane that may have passed the edit that it replaces, while that one waited; else -1. */
  passed_by: number
  /** The user discarded or edited it. */
  discarded: boolean
  /** It was edited: this version must not arrive any more. */
  replaced: boolean
  /** Not to be sent before, in virtual epoch milliseconds. */
  not_before: number
  /** Who alone knows that, until it is stored; undefined: everyone. */
  told: SimulatedProcess | undefined
  /** The record it changes, as its author saw it: in the replica, and on the screen. */
  seen: readonly Fields[] | undefined
}

export type Fields = Record<string, unknown>

/** What an operation sets, with the progress of a plan that it completes. */
export const bodyOf = ({ input, deletes }: LedgerEntry): Fields => {
  // Its title is only for the screens.
  if (deletes !== undefined) return {}
  const { body = {} } = JSON.parse(input) as { body?: Fields }
  const isAchieved = body.status === 'completed' && body.outcome === 'achieved'
  return isAchieved ? { progress: progressAtCompletion(0, 'achieved'), ...body } : body
}

/** Whether a request asks for the same as its operation, in what is no field of a record. */
export const asksAsStored = ({ body }: NetworkRequest, { input }: LedgerEntry): boolean =>
  (body?.includes('skip_weekends') ?? false) === input.includes('skip_weekends')

/** The ids of the records that must exist before an operation is sent. */
export function mentionsOf({ endpoint, input }: Operation): string[] {
  const { id, account_id, success_plan_id, initiative_id } = (input.body ?? {}) as Fields
  const edited = endpoint === 'updateAction' ? id : undefined
  return [input.path?.id, edited, account_id, success_plan_id, initiative_id].filter(
    (one) => typeof one === 'string',
  )
}

/**
 * Whether the operations that replace `was` contain all its values, except for those fields, and for what the record
 * had in the question that was answered.
 */
export function isContainedIn(
  was: Operation,
  instead: readonly Operation[],
  except: readonly string[],
): boolean {
  const { id: _id, written_at: _at, ...fields } = (was.input.body ?? {}) as Fields
  const shown = was.conflict?.theirs ?? {}
  return Object.entries(fields)
    .filter(([name, value]) => !except.includes(name) && !isDeepStrictEqual(shown[name], value))
    .every(([name, value]) =>
      instead.some((one) =>
        isDeepStrictEqual((one.input.body as Fields | undefined)?.[name], value),
      ),
    )
}
