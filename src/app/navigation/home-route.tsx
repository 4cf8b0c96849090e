import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { homeMessages } from '../../features/home/messages.ts'
import { LoadingPage } from '../../widgets/screen-states/loading-page.tsx'
import { Home } from '../../features/home/home-screen.tsx'

const Renewals = lazy(async () => ({ default: (await import('./renewals.tsx')).Renewals }))

/** `/`; the renewals with `?renewals`. */
export function Component() {
  const [params] = useSearchParams()
  if (!params.has('renewals')) return <Home />
  return (
    <Suspense fallback={<LoadingPage title={homeMessages.renewalsTitle} />}>
      <Renewals />
    </Suspense>
  )
}
