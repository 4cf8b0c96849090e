import {
  ArrowLeftRight,
  Bell,
  Building2,
  Download,
  FilePlus2,
  LayoutTemplate,
  Route,
  Sparkles,
  SunMoon,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { useNavigate } from 'react-router'
import { isOwner } from '../../../contract/roles.ts'
import { useCurrentSession } from '../../data/current-session.ts'
import { QueryProvider } from '../../sync/react/query-provider.tsx'
import { useCapability } from '../../sync/react/use-sync.ts'
import { useInstallState } from '../../ui/platform/install.ts'
import { switchTheme } from '../shell/theme.ts'
import { availableCommands, shouldShowResults, type Command } from './commands.ts'
import { PaletteBox, type Section } from './palette-box.tsx'
import { RecordSections } from './record-sections.tsx'

const StatusQuestion = lazy(async () => ({
  default: (await import('../../features/success-plans/updates/status-dialog.tsx')).StatusDialog,
}))

const InstallSheet = lazy(async () => ({
  default: (await import('../../features/installing/install-sheet.tsx')).InstallSheet,
}))

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
}

/** The command palette (specification, section 2). The typed text is dropped when it closes. */
export function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const current = useCurrentSession()
  const [text, setText] = useState('')
  const [pendingQuestion, setAsked] = useState<StatusQuestionRequest>()
  const [showInstall, setInstalls] = useState(false)
  const hasTemplates = useCapability('templates')
  const commands = availableCommands(text, {
    is_owner: current?.organisation != null && isOwner(current.user, current.organisation),
    is_free: current?.organisation?.plan !== 'professional',
    is_installed: useInstallState() === 'installed',
  }).filter(({ to }) => to !== '/templates' || hasTemplates)

  /** Closes the palette before the action runs. */
  const after = (act: () => unknown) => () => {
    onClose()
    void act()
  }
  const go = (to: string) => after(() => navigate(to))
  const sectionOf = (group: Command['group']): Section => ({
    key: group,
    items: commands
      .filter((command) => command.group === group)
      .map(({ key, label, to }) => ({
        key,
        label,
        icon: ICONS[key] ?? Route,
        run:
          to !== undefined
            ? go(to)
            : key === 'install'
              ? () => setInstalls(true)
              : after(switchTheme),
      })),
  })
  const sections = [sectionOf('success-plans'), sectionOf('organisation'), sectionOf('settings')]
  const box = { text, onText: setText, onClose }

  if (showInstall)
    return (
      <Suspense>
        <InstallSheet onClose={onClose} />
      </Suspense>
    )
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
      >
        {(all, state) => <PaletteBox {...box} sections={all} state={state} />}
      </RecordSections>
    </QueryProvider>
  )
}
