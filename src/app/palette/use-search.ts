import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { endpoints } from '../../../contract/endpoints.ts'
import { useAccounts } from '../../data/accounts.ts'
import { recordsQuery } from '../../data/record-queries.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { sync } from '../../sync/client.ts'
import { activeScope } from '../../sync/react/query-options.ts'
import { queryKeyOf } from '../../sync/react/query-client.ts'
import type { DeviceRecords, PlanResult } from './search.ts'

/** Milliseconds (specification, section 9). */
const DEBOUNCE_MS = 500
const NONE: readonly never[] = []

/** What is on the device; the updates only where they are looked through. */
export function useDeviceRecords(withUpdates: boolean): DeviceRecords {
  const { plans } = usePlans()
  const { accounts } = useAccounts()
  const query = recordsQuery('success_plan_updates')
  const updates = useQuery({ ...query, enabled: withUpdates }).data
  return useMemo(() => ({ plans, accounts, updates }), [plans, accounts, updates])
}

/**
 * The plans that the server finds by their title, half a second after the last key. Its cache key is
 * the specification's (section 7), under the user and the organisation that all reads are kept by.
 */
export function useServerSearch(typed: string): { plans: readonly PlanResult[]; asking: boolean } {
  const text = useDebounced(typed)
  const { data, isFetching } = useQuery({
    queryKey: queryKeyOf(activeScope(), 'success-plans', 'command-palette', text),
    enabled: text !== '',
    queryFn: () => sync().call(endpoints.listSuccessPlans, { query: { filters: { title: text } } }),
  })
  // What was found for other words is no answer to these.
  return { plans: text === typed ? (data?.data ?? NONE) : NONE, asking: isFetching }
}

function useDebounced(text: string): string {
  const [debounced, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setSettled, DEBOUNCE_MS, text)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
