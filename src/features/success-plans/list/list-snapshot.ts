// The first rows of the list as last shown, available before the replica is read.
import { useEffect } from 'react'
import type { ResourceName } from '../../../../contract/resources.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import type { NameOf } from '../../../data/record-id.ts'
import { saveBootSnapshot, useBootSnapshot } from '../../../sync/react/boot-cache.ts'
import type { View } from './view.ts'

/** Stored on the device for each user and organisation. */
export interface ListSnapshot {
  plans: SuccessPlan[]
  /** Partial: an older build may have stored fewer views. */
  counts: Partial<Record<View, number>>
  /** Names by `snapshotKey`, for the accounts and people in the rows. */
  names: Record<string, string>
}

const NAME = 'success-plans'
const SNAPSHOT_ROWS = 24

/** The key of a name: servers that number their records give an account and a person the same id. */
export const snapshotKey = (of: ResourceName, id: string): string => `${of} ${id}`

/** The stored rows; undefined if this user has not opened the list in this organisation. */
export const useListSnapshot = () => useBootSnapshot<ListSnapshot>(NAME)

/** Stores the first rows of `plans` for the next start; does nothing while `plans` is undefined. */
export function useSaveListSnapshot(
  plans: readonly SuccessPlan[] | undefined,
  counts: ListSnapshot['counts'],
  nameOf: NameOf,
) {
  useEffect(() => {
    if (!plans) return
    const first = plans.slice(0, SNAPSHOT_ROWS)
    const names: ListSnapshot['names'] = {}
    const addName = (of: ResourceName, id: string | null) => {
      const name = nameOf(of, id)
      if (id !== null && name !== undefined) names[snapshotKey(of, id)] = name
    }
    for (const { account_id, owner_id } of first) {
      addName('accounts', account_id)
      addName('organisation_users', owner_id)
    }
    saveBootSnapshot<ListSnapshot>(NAME, {
      // Drops long fields that a row does not show.
      plans: first.map((plan) => ({ ...plan, description: null, success_criteria: null })),
      counts,
      names,
    })
  }, [plans, counts, nameOf])
}
