// The filters of plans: what they are called, and what they offer.
import { useMemo } from 'react'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { compareText } from '../../../ui/text/format.ts'
import {
  accountOptions,
  END_OPTIONS,
  HEALTH_OPTIONS,
  statusOptions,
  useOwnerOptions,
  type FilterOptions,
} from '../../../widgets/table/filter-options.ts'
import { useNames } from '../use-names.ts'
import { unknownStatuses, type Filter } from './view.ts'

/** The choices of each filter; of accounts, those with plans. */
export function useFilterChoices(all: readonly SuccessPlan[]): Record<Filter, FilterOptions> {
  const nameOf = useNames()
  const status = useMemo(() => statusOptions(unknownStatuses(all)), [all])
  const account = useMemo(() => {
    const ids = new Set(all.map(({ account_id }) => account_id))
    const named = [...ids].flatMap((id) => {
      const name = nameOf('accounts', id)
      return id === null || name === undefined ? [] : [[id, name] as const]
    })
    return accountOptions(named.toSorted(([, a], [, b]) => compareText(a, b)))
  }, [all, nameOf])
  return { status, health: HEALTH_OPTIONS, owner: useOwnerOptions(), account, end: END_OPTIONS }
}
