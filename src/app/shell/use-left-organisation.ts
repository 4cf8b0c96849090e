import { useState } from 'react'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { sync } from '../../sync/client.ts'

/**
 * The organisation that this tab showed when another tab opened a different one, which all tabs share;
 * undefined otherwise, and again once one of the two was chosen in this tab.
 */
export function useLeftOrganisation(): Organisation | undefined {
  const current = useCurrentSession()
  const [shown, setShown] = useState(current)
  const left = shown?.organisation ?? undefined
  const active = current?.organisation?.id
  if (active === undefined || active === left?.id) return undefined
  if (
    left !== undefined &&
    shown?.user.id === current?.user.id &&
    sync().chosenOrganisation !== active
  )
    return left
  setShown(current)
  return undefined
}
