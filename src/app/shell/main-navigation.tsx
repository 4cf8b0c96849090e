import { Building2, CirclePlus, Flag, House, Route } from 'lucide-react'
import { NavLink, useLocation } from 'react-router'
import { useCapability } from '../../sync/react/use-sync.ts'
import { appMessages as messages } from './messages.ts'

const ITEM_CLASS =
  'flex min-h-14 flex-1 flex-col items-center justify-center gap-1 text-xs cramped:text-[3.2vw] font-semibold text-ink-muted aria-[current]:text-accent md:min-h-9 md:flex-none md:flex-row md:rounded-md md:px-2 md:text-sm lg:px-2.5 md:hover:bg-sunken md:hover:text-ink md:aria-[current]:bg-accent-soft md:aria-[current]:text-ink coarse:md:min-h-11'

/** A place of its own on phones. */
const NEW_PLAN = '/success-plans/new'

/** The main destinations: a bottom bar on phones, text links in the header on larger screens. */
export function MainNavigation() {
  const { pathname } = useLocation()
  return (
    <nav
      aria-label={messages.navigation}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-(--safe-bottom) short:absolute md:static md:shrink-0 md:ms-1 md:gap-1 lg:ms-3 md:border-0 md:pb-0"
    >
      <NavLink to="/" end className={ITEM_CLASS}>
        <House aria-hidden className="size-5 md:hidden" />
        {messages.start}
      </NavLink>
      <NavLink
        to="/success-plans"
        end={pathname === NEW_PLAN}
        aria-label={messages.plans}
        className={ITEM_CLASS}
      >
        <Route aria-hidden className="size-5 md:hidden" />
        <span className="lg:hidden">{messages.plansShort}</span>
        <span className="hidden lg:inline">{messages.plans}</span>
      </NavLink>
      <NavLink to={NEW_PLAN} className={`${ITEM_CLASS} md:hidden`}>
        <CirclePlus aria-hidden className="size-5" />
        {messages.newPlan}
      </NavLink>
      <NavLink to="/initiatives" className={ITEM_CLASS}>
        <Flag aria-hidden className="size-5 md:hidden" />
        {messages.initiatives}
      </NavLink>
      <NavLink to="/accounts" className={ITEM_CLASS}>
        <Building2 aria-hidden className="size-5 md:hidden" />
        {messages.accounts}
      </NavLink>
      {useCapability('templates') && (
        <NavLink to="/templates" className={`${ITEM_CLASS} max-md:hidden`}>
          {messages.templates}
        </NavLink>
      )}
    </nav>
  )
}
