import { Outlet } from 'react-router'
import { Wordmark } from '../ui/mark.tsx'

/** One thing on the page: signing in, choosing, an error. */
export function Component() {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-md flex-col px-5 pt-[calc(2rem+var(--safe-top))] pb-[calc(2rem+var(--safe-bottom))] sm:pt-[14vh]">
      <div className="mb-10">
        <Wordmark />
      </div>
      <main tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
