import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { restoreFirstScreen } from './first-screen.ts'
import { queries } from './query-client.ts'

// Before the first screen that reads is drawn.
restoreFirstScreen()

/** What reads stands in it; signing in does not, and so does not fetch what reading needs. */
export function Reads({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}
