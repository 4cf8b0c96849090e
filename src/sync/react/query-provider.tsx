import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { restoreBootCache } from './boot-cache.ts'
import { queryClient } from './query-client.ts'

// Before the first screen that reads is drawn.
restoreBootCache()

/** What reads stands in it; signing in does not, and so does not fetch what reading needs. */
export function QueryProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
}
