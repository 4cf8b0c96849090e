import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { endpoints } from '../../../contract/endpoints.ts'
import { useAccounts } from '../../data/accounts.ts'
import { overlayActions } from '../../data/actions.ts'
import { overlayInitiatives } from '../../data/initiatives.ts'
import { withoutDeleted } from '../../data/optimistic.ts'
import { recordsQuery } from '../../data/record-queries.ts'
import { usePlans } from '../../data/success-plans/queries.ts'
import { sync } from '../../sync/client.ts'
import { activeScope } from '../../sync/react/query-options.ts'
import { queryKeyOf } from '../../sync/react/query-client.ts'
import { useOperations } from '../../sync/react/use-sync.ts'
import type { DeviceRecords, PlanResult } from './search.ts'

/** Specification, section 9. */
const DEBOUNCE_MS = 500
const NONE: readonly never[] = []

/**
 * The searchable records on the device. Those that no other part of the palette needs are read only when
 * they are searched.
 */
export function useDeviceRecords(isSearching: boolean): DeviceRecords {
  const { plans } = usePlans()
  const { accounts } = useAccounts()
  const enabled = isSearching
  const operations = useOperations()
  const storedInitiatives = useQuery({ ...recordsQuery('initiatives'), enabled }).data
  const storedActions = useQuery({ ...recordsQuery('actions'), enabled }).data
  const storedTemplates = useQuery({ ...recordsQuery('templates'), enabled }).data
  const storedUpdates = useQuery({ ...recordsQuery('success_plan_updates'), enabled }).data
  const initiatives = useMemo(
    () => storedInitiatives && overlayInitiatives(storedInitiatives, operations),
    [storedInitiatives, operations],
  )
  const actions = useMemo(
    () => storedActions && overlayActions(storedActions, operations),
    [storedActions, operations],
  )
  const templates = useMemo(
    () => storedTemplates && withoutDeleted('templates', storedTemplates, operations),
    [storedTemplates, operations],
  )
  const updates = useMemo(
    () => storedUpdates && withoutDeleted('success_plan_updates', storedUpdates, operations),
    [storedUpdates, operations],
  )
  return useMemo(
    () => ({ plans, accounts, initiatives, actions, templates, updates }),
    [plans, accounts, initiatives, actions, templates, updates],
  )
}

/**
 * Plans that the server finds by title, 500 ms after the last key, without those being deleted. The query key is that
 * of the specification (section 7), after the user and organisation that scope all queries.
 */
export function useServerSearch(typed: string): {
  plans: readonly PlanResult[]
  /** Whether an answer is to come. */
  asking: boolean
  failed: boolean
} {
  const text = useDebounced(typed)
  const { data, isError, isFetching } = useQuery({
    queryKey: queryKeyOf(activeScope(), 'success-plans', 'command-palette', text),
    enabled: text !== '',
    queryFn: () => sync().call(endpoints.listSuccessPlans, { query: { filters: { title: text } } }),
  })
  const operations = useOperations()
  // Results for another text do not answer this one.
  const isSettled = text === typed
  const plans = isSettled ? (data?.data ?? NONE) : NONE
  return {
    plans: withoutDeleted('success_plans', plans, operations),
    asking: isFetching || !isSettled,
    failed: isError,
  }
}

function useDebounced(text: string): string {
  const [debounced, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setSettled, DEBOUNCE_MS, text)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
