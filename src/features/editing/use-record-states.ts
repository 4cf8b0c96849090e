import { useMemo } from 'react'
import { useOperations } from '../../sync/react.ts'
import { recordStates, type RecordState } from './record-states.ts'

/** The states of the records of the active organisation. */
export function useRecordStates(): ReadonlyMap<string, RecordState> {
  const operations = useOperations()
  return useMemo(() => recordStates(operations), [operations])
}
