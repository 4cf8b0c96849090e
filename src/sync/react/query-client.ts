import { QueryClient } from '@tanstack/react-query'
import type { Scope } from '../core/replica.ts'

/** What this page has read. As the specification sets it (section 7). */
export const queryClient = new QueryClient({
  defaultOptions: {
    // `offlineFirst`, or a query that is paused offline would never ask the device.
    queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'offlineFirst' },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Under which a read is known: nothing of another user or organisation can be found by it. */
export const queryKeyOf = ({ user_id, organisation_id }: Scope, ...rest: string[]) => [
  user_id,
  organisation_id,
  ...rest,
]
