import { lazy, Suspense } from 'react'

const UnprotectedPassword = lazy(async () => ({
  default: (await import('./plain-http.tsx')).UnprotectedPassword,
}))

/** Beside every password that is typed: on a page without HTTPS others on the network can read it. */
export const PasswordWarning = () =>
  !window.isSecureContext && (
    <Suspense>
      <UnprotectedPassword />
    </Suspense>
  )
