import {
  ArrowLeftRight,
  Download,
  HardDrive,
  LayoutTemplate,
  LogOut,
  Monitor,
  Moon,
  RefreshCw,
  Settings,
  Sun,
} from 'lucide-react'
import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { User } from '../../../contract/schemas/people.ts'
import { useCapability } from '../../sync/react/use-sync.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useDesktop } from '../../ui/platform/use-desktop.ts'
import { isWorkUnsent, signOut } from '../sync-centre/sign-out.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { SHEETS } from './sheets.ts'
import { theme, THEMES } from './theme.ts'
import { appMessages as messages } from './messages.ts'

const THEME_ICONS = { light: Sun, dark: Moon, auto: Monitor }

/** The signed-in user, with theme, sync status, device, organisations and sign-out. */
export function UserMenu({ user }: { user: User }) {
  const chosen = theme.useValue()
  const navigate = useNavigate()
  // The bar of a phone has no room for them.
  const hasTemplates = useCapability('templates')
  const withTemplates = !useDesktop() && hasTemplates
  const [open, setOpen] = useState<keyof typeof SHEETS>()
  const Sheet = open && SHEETS[open]

  return (
    <>
      <Menu
        label={messages.account(user.name)}
        className="grid size-9 place-items-center rounded-full coarse:size-11"
        heading={
          <>
            <span className="block font-semibold">{user.name}</span>
            <span className="block text-ink-muted">{user.email}</span>
          </>
        }
        items={[
          ...(withTemplates
            ? [
                {
                  label: messages.templates,
                  icon: LayoutTemplate,
                  onSelect: () => void navigate('/templates'),
                },
              ]
            : []),
          ...THEMES.map((one) => ({
            label: messages.themes[one],
            icon: THEME_ICONS[one],
            chosen: chosen === one,
            apart: withTemplates && one === THEMES[0],
            onSelect: () => theme.choose(one),
          })),
          {
            label: messages.syncStatus,
            icon: RefreshCw,
            apart: true,
            onSelect: () => setOpen('sync'),
          },
          {
            label: messages.device,
            icon: HardDrive,
            onSelect: () => setOpen('device'),
          },
          // Not offered when the app is already installed.
          ...(matchMedia('(display-mode: browser)').matches
            ? [{ label: messages.install, icon: Download, onSelect: () => setOpen('install') }]
            : []),
          {
            label: messages.settings,
            icon: Settings,
            apart: true,
            onSelect: () => void navigate('/settings'),
          },
          {
            label: messages.switchOrganisation,
            icon: ArrowLeftRight,
            onSelect: () => void navigate('/organisations'),
          },
          {
            label: messages.signOut,
            icon: LogOut,
            onSelect: () =>
              void isWorkUnsent().then((unsent) =>
                unsent ? setOpen('sign-out') : signOut(navigate, 'keep'),
              ),
          },
        ]}
      >
        <Avatar name={user.name} />
      </Menu>
      <ErrorBoundary onFailed={() => setOpen(undefined)}>
        <Suspense>{Sheet && <Sheet onClose={() => setOpen(undefined)} />}</Suspense>
      </ErrorBoundary>
    </>
  )
}
