// The first screenful of the list as it was last seen, there before anything has been read.
import { useEffect } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { saveBootSnapshot, useBootSnapshot } from '../../../sync/react/boot-cache.ts'
import type { View } from './view.ts'

export interface ListSnapshot {
  plans: SuccessPlan[]
  /** A view that the build which kept them did not know has none. */
  counts: Partial<Record<View, number>>
  /** Names by id, of those that the rows mention. */
  names: Record<string, string>
}

const NAME = 'success-plans'
const SNAPSHOT_ROWS = 24

/** Undefined when the list was never seen here by this user in this organisation. */
export const useListSnapshot = () => useBootSnapshot<ListSnapshot>(NAME)

/** Keeps the beginning of `plans` for the next start; undefined while there is nothing to keep. */
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
      // What a row does not show would only make the copy larger.
      plans: first.map((plan) => ({ ...plan, description: null, success_criteria: null })),
      counts,
      names: Object.fromEntries(names),
    })
  }, [plans, counts, nameOf])
}
