import {
  Bell,
  Building2,
  ChevronRight,
  CreditCard,
  Download,
  HardDrive,
  Layers,
  UserRound,
  UsersRound,
  type LucideIcon,
} from 'lucide-react'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router'
import { isOwner } from '../../../contract/roles.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { install, useInstallState } from '../../ui/platform/install.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Frame } from './layout-default.tsx'
import { settingsMessages as messages } from './settings-messages.ts'

const DeviceSheet = lazy(async () => ({
  default: (await import('../device/device-sheet.tsx')).DeviceSheet,
}))

/** The settings layout: sections beside the open one; on a phone a list that links to each. */
export function Component() {
  return (
    <Frame>
      <Settings />
    </Frame>
  )
}

function Settings() {
  const isList = /^\/settings\/?$/.test(useLocation().pathname)
  return (
    <div className="flex flex-col md:grid md:grid-cols-[13rem_minmax(0,1fr)] md:gap-x-12">
      <div className={isList ? 'order-last' : 'max-md:hidden'}>
        <SettingsNavigation isList={isList} />
      </div>
      <div className="min-w-0">
        {!isList && (
          <div className="md:hidden">
            <BackLink to="/settings">{messages.title}</BackLink>
          </div>
        )}
        <ErrorBoundary>
          <Outlet />
        </ErrorBoundary>
      </div>
    </div>
  )
}

const LINK_CLASS =
  'group flex min-h-12 w-full items-center gap-3 border-b border-line px-1 text-start font-semibold md:min-h-9 md:rounded-md md:border-0 md:px-3 md:text-sm md:text-ink-muted md:hover:bg-sunken md:hover:text-ink md:aria-[current]:bg-accent-soft md:aria-[current]:text-ink coarse:md:min-h-11'

/** Links to the settings that this user may see. As a screen of its own it is printed. */
function SettingsNavigation({ isList }: { isList: boolean }) {
  const current = useCurrentSession()
  const [device, setDevice] = useState(false)
  const installing = useInstallState()
  if (!current?.organisation) return null
  const { user, organisation } = current
  return (
    <nav
      aria-label={messages.navigation}
      className={`mt-4 flex flex-col gap-7 md:sticky md:top-20 md:mt-1 ${isList ? 'print:flex!' : ''}`}
    >
      <Group title={messages.yours}>
        <SettingsLink to="/settings/profile" icon={UserRound}>
          {messages.profile}
        </SettingsLink>
        <SettingsLink to="/settings/notifications" icon={Bell}>
          {messages.notifications}
        </SettingsLink>
        <li>
          <button type="button" onClick={() => setDevice(true)} className={LINK_CLASS}>
            <LinkContent icon={HardDrive}>{messages.device}</LinkContent>
          </button>
        </li>
        {installing === 'offered' && (
          <li>
            <button type="button" onClick={() => void install()} className={LINK_CLASS}>
              <LinkContent icon={Download}>{messages.install}</LinkContent>
            </button>
          </li>
        )}
      </Group>
      <Group title={organisation.name}>
        <SettingsLink to="/settings/organisation/general" icon={Building2}>
          {messages.general}
        </SettingsLink>
        <SettingsLink to="/settings/organisation/members" icon={UsersRound}>
          {messages.members}
        </SettingsLink>
        {isOwner(user, organisation) && (
          <>
            <SettingsLink to="/settings/organisation/billing" icon={CreditCard}>
              {messages.billing}
            </SettingsLink>
            <SettingsLink to="/settings/organisation/plans" icon={Layers}>
              {messages.plans}
            </SettingsLink>
          </>
        )}
      </Group>
      {device && (
        <Suspense>
          <DeviceSheet onClose={() => setDevice(false)} />
        </Suspense>
      )}
    </nav>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1.5 truncate px-1 text-xs font-semibold text-ink-faint md:px-3">
        {title}
      </h2>
      <ul className="max-md:border-t max-md:border-line md:flex md:flex-col md:gap-0.5">
        {children}
      </ul>
    </section>
  )
}

interface SettingsLinkProps {
  to: string
  icon: LucideIcon
  children: ReactNode
}

function SettingsLink({ to, icon, children }: SettingsLinkProps) {
  return (
    <li>
      <NavLink to={to} className={LINK_CLASS}>
        <LinkContent icon={icon}>{children}</LinkContent>
      </NavLink>
    </li>
  )
}

function LinkContent({ icon: Icon, children }: Omit<SettingsLinkProps, 'to'>) {
  return (
    <>
      <Icon aria-hidden className="size-4.5 shrink-0 text-ink-faint md:size-4" />
      <span className="min-w-0 grow">{children}</span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-ink-faint md:hidden" />
    </>
  )
}
