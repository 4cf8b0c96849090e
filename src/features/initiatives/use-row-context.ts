import { useMemo } from 'react'
import { useLocation } from 'react-router'
import { usePeople } from '../../data/organisations/use-people.ts'
import { useToday } from '../../data/organisations/use-today.ts'
import { useRecordStates } from '../../widgets/editing/use-record-states.ts'
import type { PlanChoice } from './initiative-dialog.tsx'
import type { RowContext } from './initiative-table.tsx'

/** What the rows of all initiatives need besides them. Changes only with its contents. */
export function useRowContext(plans: readonly PlanChoice[]): RowContext {
  const people = usePeople()
  const today = useToday()
  const states = useRecordStates()
  const { search } = useLocation()
  return useMemo(() => {
    const titles = new Map(plans.map(({ id, title }) => [id, title]))
    return {
      today,
      states,
      titleOf: (id) => titles.get(id ?? ''),
      nameOf: (id) => people?.get(id ?? '')?.name,
      searchOf: (id) => {
        const params = new URLSearchParams(search)
        params.set('open', id)
        return params.toString()
      },
    }
  }, [plans, people, today, states, search])
}
