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
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import type { User } from '../../../contract/schemas/people.ts'
import { sync } from '../../sync/client.ts'
import { useAllOperations, useCapability } from '../../sync/react/use-sync.ts'
import { Avatar } from '../../ui/display/avatar.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useDesktop } from '../../ui/platform/use-desktop.ts'
import { theme, THEMES } from './theme.ts'
import { appMessages as messages } from './messages.ts'

const SignOutDialog = lazy(async () => ({
  default: (await import('../sync-centre/sign-out-dialog.tsx')).SignOutDialog,
}))
const DeviceSheet = lazy(async () => ({
  default: (await import('../device/device-sheet.tsx')).DeviceSheet,
}))
const InstallSheet = lazy(async () => ({
  default: (await import('../../features/installing/install-sheet.tsx')).InstallSheet,
}))
const SyncPanel = lazy(async () => ({
  default: (await import('../sync-centre/sync-panel.tsx')).SyncPanel,
}))

const THEME_ICONS = { light: Sun, dark: Moon, auto: Monitor }

/** The signed-in user, with theme, sync status, device, organisations and sign-out. */
export function UserMenu({ user }: { user: User }) {
  const chosen = theme.useValue()
  const navigate = useNavigate()
  const unsent = useAllOperations().some(({ state }) => state !== 'acknowledged')
  // The bar of a phone has no room for them.
  const hasTemplates = useCapability('templates')
  const withTemplates = !useDesktop() && hasTemplates
  const [open, setOpen] = useState<'sign-out' | 'sync' | 'device' | 'install'>()

  async function signOut(unsentWork: 'keep' | 'discard') {
    await import('../../features/profile/push-device.ts')
      .then(({ turnPushOff }) => turnPushOff())
      .catch(() => undefined)
    // Navigate first: otherwise the guards would store this path as the one to return to.
    await navigate('/auth')
    await sync().signOut(unsentWork)
  }

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
            onSelect: () => (unsent ? setOpen('sign-out') : void signOut('keep')),
          },
        ]}
      >
        <Avatar name={user.name} />
      </Menu>
      <Suspense>
        {open === 'sign-out' && (
          <SignOutDialog
            onClose={() => setOpen(undefined)}
            onSignOut={(what) => void signOut(what)}
          />
        )}
        {open === 'device' && <DeviceSheet onClose={() => setOpen(undefined)} />}
        {open === 'install' && <InstallSheet onClose={() => setOpen(undefined)} />}
        {open === 'sync' && <SyncPanel onClose={() => setOpen(undefined)} />}
      </Suspense>
    </>
  )
}
