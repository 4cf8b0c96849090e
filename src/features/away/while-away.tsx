import { lazy, Suspense } from 'react'
import { useAway } from './use-away.ts'

const AwayNews = lazy(async () => ({ default: (await import('./away-news.tsx')).AwayNews }))

/**
 * After an absence, what others did to followed plans; otherwise nothing, and its chunk is not loaded.
 */
export function WhileAway() {
  const away = useAway()
  if (!away) return null
  return (
    <Suspense>
      <AwayNews key={away.to} away={away} />
    </Suspense>
  )
}
