import { ChevronsUpDown, Search } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { Link } from 'react-router'
import { QueryProvider } from '../../sync/react/query-provider.tsx'
import { useCurrentSession, useLeftOrganisation } from '../../data/current-session.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Logo } from '../../ui/display/logo.tsx'
import { optionalPart } from '../../ui/platform/lazy-part.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { MainNavigation } from './main-navigation.tsx'
import { SyncPill } from '../sync-centre/sync-pill.tsx'
import { appMessages as messages } from './messages.ts'
import { KeptOutlet } from '../navigation/kept-outlet.tsx'
import { openPalette } from '../palette/open-palette.ts'

/** Loaded lazily: it is not needed for the first paint. Without it, the settings are still within reach. */
const UserMenu = optionalPart(
  async () => (await import('./user-menu.tsx')).UserMenu,
  ({ user }) => (
    <Link to="/settings" aria-label={messages.settings}>
      <AvatarPlaceholder name={user.name} />
    </Link>
  ),
)

const Presence = optionalPart(
  async () => (await import('../../features/away/presence.tsx')).Presence,
)

const OrganisationSwitched = lazy(async () => ({
  default: (await import('../../features/organisations/organisation-switched.tsx'))
    .OrganisationSwitched,
}))

const OnlineOnly = optionalPart(
  async () => (await import('../../features/session/plain-http.tsx')).OnlineOnly,
)

/** The main layout: the frame with the current screen. */
export function Component() {
  return (
    <Frame>
      <KeptOutlet />
    </Frame>
  )
}

/**
 * Header and navigation around the screen. The navigation is a bottom bar on phones and part of the
 * header on larger screens.
 */
export function Frame({ children }: { children: ReactNode }) {
  const current = useCurrentSession()
  const left = useLeftOrganisation()
  // Without an organisation the guards are about to redirect; no screen may request data until then.
  if (!current?.organisation) return null
  const { user, organisation } = current
  return (
    <QueryProvider>
      <Suspense>
        <Presence />
      </Suspense>
      <div data-frame className="relative flex min-h-dvh flex-col">
        <a
          href="#content"
          onClick={(event) => {
            // Following the link would add an entry to the history that has no screen of its own.
            event.preventDefault()
            document.querySelector('main')?.focus()
          }}
          className="sr-only z-50 rounded-md bg-ink px-4 py-2 font-semibold text-surface focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
        >
          {messages.skip}
        </a>
        <header className="sticky top-0 z-30 border-b border-line bg-surface pt-(--safe-top) short:static">
          <div className="mx-auto flex h-14 max-w-400 items-center gap-1 ps-3 pe-3 sm:ps-5 sm:pe-5">
            <Link
              to="/"
              aria-label={messages.home}
              // On a small phone the bar below leads home too, and the name needs the room.
              className="grid size-9 shrink-0 place-items-center rounded-md coarse:size-11 max-[24rem]:hidden"
            >
              <Logo />
            </Link>
            <Link
              to="/organisations"
              aria-label={messages.organisationNow(organisation.name)}
              title={messages.switchOrganisation}
              className="inline-flex min-h-9 min-w-0 items-center gap-1.5 rounded-md px-2 text-sm font-semibold hover:bg-sunken coarse:min-h-11"
            >
              <span className="truncate">{organisation.name}</span>
              <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
            </Link>
            <MainNavigation />
            <div className="ms-auto flex shrink-0 items-center gap-1.5">
              <SyncPill />
              <PaletteButton />
              <Suspense fallback={<AvatarPlaceholder name={user.name} />}>
                <UserMenu user={user} />
              </Suspense>
            </div>
          </div>
        </header>
        <main
          id="content"
          tabIndex={-1}
          className="mx-auto w-full max-w-400 grow px-4 pt-6 pb-[calc(6.5rem+var(--safe-bottom))] sm:px-6 md:pt-4 md:pb-16"
        >
          {!window.isSecureContext && (
            <Suspense>
              <OnlineOnly />
            </Suspense>
          )}
          <ErrorBoundary key={user.id + organisation.id}>
            {left ? (
              <Suspense>
                <OrganisationSwitched left={left} active={organisation} />
              </Suspense>
            ) : (
              children
            )}
          </ErrorBoundary>
        </main>
      </div>
    </QueryProvider>
  )
}

/** Holds the menu's place while it loads. */
function AvatarPlaceholder({ name }: { name: string }) {
  return (
    <span className="grid size-9 place-items-center coarse:size-11">
      <Avatar name={name} />
    </span>
  )
}

/** Opens the command palette by touch or mouse; shows the shortcut where there is a keyboard. */
function PaletteButton() {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      title={`${messages.palette} (${messages.paletteKey})`}
      onClick={openPalette}
      className="inline-flex size-9 shrink-0 items-center justify-center gap-2 rounded-md text-ink-muted hover:bg-sunken hover:text-ink coarse:size-11 xl:w-auto xl:border xl:border-line xl:bg-raised xl:ps-2.5 xl:pe-2"
    >
      <Search aria-hidden className="size-4.5 xl:size-4" />
      <span className="sr-only">{messages.palette}</span>
      <kbd className="hidden font-sans text-xs text-ink-faint xl:inline coarse:hidden">
        {messages.paletteKey}
      </kbd>
    </button>
  )
}
