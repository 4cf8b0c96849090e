// The first rows of the list as last shown, available before the replica is read.
import { useEffect } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { saveBootSnapshot, useBootSnapshot } from '../../../sync/react/boot-cache.ts'
import type { View } from './view.ts'

/** Stored on the device for each user and organisation. */
export interface ListSnapshot {
  plans: SuccessPlan[]
  /** Partial: an older build may have stored fewer views. */
  counts: Partial<Record<View, number>>
  /** Names by id, for the accounts and people in the rows. */
  names: Record<string, string>
}

const NAME = 'success-plans'
const SNAPSHOT_ROWS = 24

/** The stored rows; undefined if this user has not opened the list in this organisation. */
export const useListSnapshot = () => useBootSnapshot<ListSnapshot>(NAME)

/** Stores the first rows of `plans` for the next start; does nothing while `plans` is undefined. */
export function useSaveListSnapshot(
  plans: readonly SuccessPlan[] | undefined,
  counts: ListSnapshot['counts'],
  nameOf: (id: string) => string | undefined,
) {
  useEffect(() => {
    if (!plans) return
    const first = plans.slice(0, SNAPSHOT_ROWS)
    const ids = first.flatMap(({ account_id, owner_id }) => [account_id ?? '', owner_id ?? ''])
    const names = [...new Set(ids)].flatMap((id) => {
      const name = nameOf(id)
      return name === undefined ? [] : [[id, name] as const]
    })
    saveBootSnapshot<ListSnapshot>(NAME, {
      // Drops long fields that a row does not show.
      plans: first.map((plan) => ({ ...plan, description: null, success_criteria: null })),
      counts,
      names: Object.fromEntries(names),
    })
  }, [plans, counts, nameOf])
}
