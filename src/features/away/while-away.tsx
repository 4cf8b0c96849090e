import { lazy, Suspense } from 'react'
import { useAway } from './use-away.ts'

const AwayNews = lazy(async () => ({ default: (await import('./away-news.tsx')).AwayNews }))

/** After a return, what others did to the plans that one follows; else nothing, and no code for it. */
export function WhileAway() {
  const away = useAway()
  if (!away) return null
  return (
    <Suspense>
      <AwayNews key={away.to} away={away} />
    </Suspense>
  )
}
