import { QueryClient } from '@tanstack/react-query'
import type { Scope } from '../core/replica.ts'

/** The query cache of this page, configured as the specification requires (section 7). */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Not `online`: queries would be paused offline, and never read the device.
    queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'offlineFirst' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** A query key within a scope, so that no data of another user or organisation is found. */
export const queryKeyOf = ({ user_id, organisation_id }: Scope, ...rest: string[]) => [
  user_id,
  organisation_id,
  ...rest,
]
