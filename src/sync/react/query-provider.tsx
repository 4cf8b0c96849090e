import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { restoreBootCache } from './boot-cache.ts'
import { queryClient } from './query-client.ts'

// Before the first screen that uses queries is rendered.
restoreBootCache()

/** Provides queries to the screens of signed-in users. Not on the sign-in route, which loads less without it. */
export function QueryProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
