import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { useSession } from '../../sync/react/use-sync.ts'
import { Wordmark } from '../../ui/display/logo.tsx'
import { LOGO_PATHS } from '../../ui/display/logo-paths.ts'
import { optionalPart } from '../../ui/platform/lazy-part.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

const SignedIn = optionalPart(async () => (await import('./signed-in.tsx')).SignedIn)

/**
 * The layout for signing in, choosing an organisation, and errors: one card on an illustrated
 * background.
 */
export function Component() {
  const current = useSession()
  return (
    <div className="relative isolate min-h-dvh overflow-hidden">
      <svg
        aria-hidden
        viewBox="0 0 400 160"
        preserveAspectRatio="xMidYMax slice"
        className="pointer-events-none absolute inset-x-0 bottom-0 -z-10 h-[34vh] w-full overflow-visible print:hidden"
      >
        <path
          d="M0 118c52-26 92-30 140-12s96 4 142-12 84-14 118-2v68H0Z"
          className="fill-sunken/60"
        />
        <g transform="translate(292 91) scale(1.5)" className="fill-line">
          {LOGO_PATHS.map((stone) => (
            <path key={stone} d={stone} />
          ))}
        </g>
        <path d="M0 142c70-18 128-8 190-2s130-18 210-6v26H0Z" className="fill-sunken" />
      </svg>
      <div
        data-frame
        className="mx-auto flex w-full max-w-md flex-col px-5 pt-[calc(2rem+var(--safe-top))] pb-[calc(2rem+var(--safe-bottom))] sm:pt-[13vh]"
      >
        {/* As tall as its button, which comes late: nothing below moves then. */}
        <header className="mb-10 flex min-h-9 items-center justify-between coarse:min-h-11">
          <Wordmark />
          <Suspense>{current && <SignedIn />}</Suspense>
        </header>
        <main tabIndex={-1}>
          <ErrorBoundary>
            <Outlet />
          </ErrorBoundary>
        </main>
      </div>
    </div>
  )
}
