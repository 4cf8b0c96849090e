import { ChevronsUpDown } from 'lucide-react'
import { Link, Outlet } from 'react-router'
import { useCurrent } from '../features/session/queries.ts'
import { Mark } from '../ui/mark.tsx'
import { Navigation } from './navigation.tsx'
import { SyncPill } from './sync-pill.tsx'
import { UserMenu } from './user-menu.tsx'
import { appWords as words } from './words.ts'

/** The work: header, navigation, screen. A bar at the bottom on a phone, all at the top on a desk. */
export function Component() {
  const current = useCurrent()
  // The guards are about to lead elsewhere; until they do, no screen may ask for data.
  if (!current?.organisation) return null
  const { user, organisation } = current
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-ink px-4 py-2 font-semibold text-surface focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
      >
        {words.skip}
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-surface pt-(--safe-top)">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 ps-3 pe-3 sm:ps-5 sm:pe-5">
          <Link
            to="/success-plans"
            aria-label={words.home}
            className="grid size-9 shrink-0 place-items-center rounded-md coarse:size-11"
          >
            <Mark />
          </Link>
          <Link
            to="/organisations"
            aria-label={words.organisationNow(organisation.name)}
            title={words.switchOrganisation}
            className="inline-flex min-h-9 min-w-0 items-center gap-1.5 rounded-md px-2 text-sm font-semibold hover:bg-sunken coarse:min-h-11"
          >
            <span className="truncate">{organisation.name}</span>
            <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
          </Link>
          <Navigation />
          <div className="ms-auto flex shrink-0 items-center gap-1.5">
            <SyncPill />
            <UserMenu user={user} />
          </div>
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl grow px-4 pt-6 pb-[calc(6.5rem+var(--safe-bottom))] sm:px-6 md:pb-16"
      >
        <Outlet key={organisation.id} />
      </main>
    </div>
  )
}
