import {
  ArrowLeftRight,
  Bell,
  Building2,
  CalendarClock,
  CreditCard,
  Download,
  FileDown,
  FilePlus2,
  FileUp,
  Flag,
  HardDrive,
  House,
  Keyboard,
  ListChecks,
  RefreshCw,
  LayoutTemplate,
  LogOut,
  Route,
  Sparkles,
  SunMoon,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isOwner } from '../../../contract/roles.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { QueryProvider } from '../../sync/react/query-provider.tsx'
import { useCapability } from '../../sync/react/use-sync.ts'
import { useInstallState } from '../../ui/platform/install.ts'
import { useSingleKeys } from '../../widgets/keys/use-single-keys.ts'
import { isWorkUnsent, signOut } from '../sync-centre/sign-out.ts'
import { SHEETS as SHARED_SHEETS } from '../shell/sheets.ts'
import { switchTheme } from '../shell/theme.ts'
import { availableCommands, shouldShowResults, type Command } from './commands.ts'
import { keysOf, moreCommands, type MoreCommand } from './more-commands.ts'
import { PaletteBox, type Section } from './palette-box.tsx'
import { RecordSections } from './record-sections.tsx'

const StatusQuestion = lazy(async () => ({
  default: (await import('../../features/success-plans/updates/status-dialog.tsx')).StatusDialog,
}))

const SHEETS = {
  ...SHARED_SHEETS,
  shortcuts: lazy(async () => ({
    default: (await import('./shortcuts-sheet.tsx')).ShortcutsSheet,
  })),
}

/** A dialog that a command opens after the palette has closed. */
export type StatusQuestionRequest = Omit<ComponentProps<typeof StatusQuestion>, 'onClose'>

const ICONS: Record<
  string,
  ComponentProps<typeof PaletteBox>['sections'][number]['items'][number]['icon']
> = {
  plans: Route,
  'new-plan': FilePlus2,
  'new-template': LayoutTemplate,
  switch: ArrowLeftRight,
  upgrade: Sparkles,
  theme: SunMoon,
  profile: UserRound,
  notifications: Bell,
  organisation: Building2,
  members: UsersRound,
  install: Download,
  home: House,
  accounts: Building2,
  initiatives: Flag,
  templates: LayoutTemplate,
  renewals: CalendarClock,
  review: ListChecks,
  billing: CreditCard,
  sync: RefreshCw,
  device: HardDrive,
  'set-up': ListChecks,
  'new-account': Building2,
  'new-initiative': Flag,
  outcome: CalendarClock,
  'import-plans': FileUp,
  'import-accounts': FileUp,
  'export-all': FileDown,
  'import-all': FileUp,
  shortcuts: Keyboard,
  'sign-out': LogOut,
}

/** The groups of the specification, then those beside it. */
const GROUPS = ['success-plans', 'organisation', 'settings', 'places', 'acts'] as const

interface PaletteProps {
  /** What was typed before it was there. */
  typed: () => string
  onClose: () => void
}

/** The command palette (specification, section 2). The typed text is dropped when it closes. */
export function Palette({ typed, onClose }: PaletteProps) {
  const navigate = useNavigate()
  const current = useCurrentSession()
  const [text, setText] = useState(typed)
  const [pendingQuestion, setAsked] = useState<StatusQuestionRequest>()
  const [sheet, setSheet] = useState<keyof typeof SHEETS>()
  const { pathname } = useLocation()
  const hasKeys = useSingleKeys() && current !== null
  const has = { templates: useCapability('templates'), renewals: useCapability('renewals') }
  const is_owner = current?.organisation != null && isOwner(current.user, current.organisation)
  const commands = availableCommands(text, {
    is_owner,
    is_installed: useInstallState() === 'installed',
  }).filter(({ to }) => to !== '/templates' || has.templates)
  // All others are about the organisation.
  const more = moreCommands(text, { is_owner, has }).filter(
    ({ key }) => current?.organisation || (key === 'sign-out' && current),
  )

  /** Closes the palette before the action runs. */
  const after = (act: () => unknown) => () => {
    onClose()
    void act()
  }
  const leave = after(() => signOut(navigate, 'keep'))
  const go = (to: string) => after(() => navigate(to))
  const sectionOf = (group: Command['group'] | MoreCommand['group']): Section => ({
    key: group,
    items: [...commands, ...more]
      .filter((command) => command.group === group)
      .map(({ key, label, to }) => ({
        key,
        label,
        icon: ICONS[key] ?? Route,
        keys: hasKeys ? keysOf({ key, to }, pathname) : undefined,
        run:
          to !== undefined
            ? go(to)
            : key === 'sign-out'
              ? () => void isWorkUnsent().then((unsent) => (unsent ? setSheet(key) : leave()))
              : key in SHEETS
                ? () => setSheet(key as keyof typeof SHEETS)
                : after(switchTheme),
      })),
  })
  const sections = GROUPS.map(sectionOf)
  const box = { text, onText: setText, onClose }

  if (sheet !== undefined) {
    const Sheet = SHEETS[sheet]
    return (
      <QueryProvider>
        <Suspense>
          <Sheet onClose={onClose} />
        </Suspense>
      </QueryProvider>
    )
  }
  if (pendingQuestion)
    return (
      <Suspense>
        <StatusQuestion {...pendingQuestion} onClose={onClose} />
      </Suspense>
    )
  if (!current?.organisation) return <PaletteBox {...box} sections={sections} state="" />
  return (
    <QueryProvider>
      <RecordSections
        typed={text.trim()}
        withResults={shouldShowResults(text, commands)}
        commands={sections}
        go={go}
        after={after}
        onAsk={setAsked}
        hasKeys={hasKeys}
      >
        {(all, state) => <PaletteBox {...box} sections={all} state={state} />}
      </RecordSections>
    </QueryProvider>
  )
}
