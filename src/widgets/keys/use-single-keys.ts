import { useSyncExternalStore } from 'react'
import { useSession } from '../../sync/react/use-sync.ts'
import { hasSingleKeys } from '../../ui/platform/single-keys.ts'

/** Whether single keys are shortcuts for the signed-in user, also when that changes. */
export function useSingleKeys(): boolean {
  const user_id = useSession()?.user.id ?? ''
  return useSyncExternalStore(subscribe, () => hasSingleKeys(user_id))
}

/** The key of the search field of a list, if single keys are shortcuts. */
export const useSearchKey = () => (useSingleKeys() ? '/' : undefined)

/** The attributes of what C presses, by its label. */
export function useCreateKey() {
  const isOn = useSingleKeys()
  return (label: string) => ({
    'data-key': 'c',
    ...(isOn && { 'aria-keyshortcuts': 'C', title: `${label} (C)` }),
  })
}

function subscribe(listener: () => void) {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
