import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { Home } from '../../features/home/home-screen.tsx'

const RenewalsView = lazy(async () => ({
  default: (await import('../../features/renewals/renewals-view.tsx')).RenewalsView,
}))
const AccountPreview = lazy(async () => ({
  default: (await import('../../features/accounts/detail/account-preview.tsx')).AccountPreview,
}))

/**
 * `/`; the renewals with `?renewals`. They are put together here: what shows an account uses rows of Home, and so
 * cannot be imported from there.
 */
export function Component() {
  const [params] = useSearchParams()
  if (!params.has('renewals')) return <Home />
  return (
    <Suspense>
      <RenewalsView Preview={AccountPreview} />
    </Suspense>
  )
}
