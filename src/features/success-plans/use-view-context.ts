import { useMemo } from 'react'
import { useSession } from '../../sync/react/use-sync.ts'
import { useNow, useToday } from '../../data/organisations/use-today.ts'
import { useNames } from './use-names.ts'
import type { ViewContext } from './list/view.ts'

/** The context that views and search need; see `ViewContext`. */
export function useViewContext(): ViewContext {
  const user_id = useSession()?.user.id ?? ''
  const nameOf = useNames()
  const now = useNow()
  const today = useToday()
  return useMemo(
    () => ({
      user_id,
      now,
      today,
      nameOf,
    }),
    [user_id, now, today, nameOf],
  )
}
