import { useMemo } from 'react'
import { useOperations } from '../../sync/react/use-sync.ts'
import { recordStates, type RecordStates } from '../../data/record-states.ts'

/** The sync states of the active organisation's records, by `recordStateKey`. */
export function useRecordStates(): RecordStates {
  const operations = useOperations()
  return useMemo(() => recordStates(operations), [operations])
}
