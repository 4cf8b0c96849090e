import { Download, EllipsisVertical, Menu, Share, SquarePlus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { InstallState } from '../../ui/platform/install.ts'
import { Logo } from '../../ui/display/logo.tsx'
import { installMessages as messages } from './messages.ts'

type ManualInstall = Exclude<InstallState, 'installed' | 'offered'>

const PICTURES: Record<ManualInstall, readonly ReactNode[]> = {
  ios: [
    <Bar key="share">
      <Share className="size-5 text-accent" />
    </Bar>,
    <Row key="add" icon={<SquarePlus className="size-4" />} />,
    <HomeScreen key="home" />,
  ],
  'mac-safari': [
    <MenuBar key="file" />,
    <Row key="dock" icon={<SquarePlus className="size-4" />} />,
    <Dock key="added" />,
  ],
  'by-hand': [
    <Bar key="menu">
      <EllipsisVertical className="size-5 text-accent" />
      <Menu className="size-5 text-ink-faint" />
    </Bar>,
    <Row key="install" icon={<Download className="size-4" />} />,
    <HomeScreen key="home" />,
  ],
}

/** Illustrated instructions for installing manually in this browser. */
export function InstallSteps({ browser }: { browser: ManualInstall }) {
  return (
    <ol className="grid gap-4 sm:grid-cols-3">
      {messages[browser].map((step, at) => (
        <li key={step} className="flex items-center gap-4 text-sm sm:flex-col sm:items-start">
          <div
            aria-hidden
            className="grid h-20 w-28 shrink-0 place-items-center rounded-lg border border-line bg-sunken p-3 sm:w-full"
          >
            {PICTURES[browser][at]}
          </div>
          <p className="text-pretty">
            <span className="font-semibold tabular-nums">{at + 1}.</span> {step}
          </p>
        </li>
      ))}
    </ol>
  )
}

/** The browser's toolbar, with the icon to look for. */
function Bar({ children }: { children: ReactNode }) {
  return (
    <div className="flex w-full items-center justify-between gap-2 rounded-md border border-line bg-raised px-3 py-2">
      <span className="h-2 grow rounded-full bg-line" />
      {children}
    </div>
  )
}

/** A menu with the entry to choose. */
function Row({ icon }: { icon: ReactNode }) {
  return (
    <div className="flex w-full flex-col gap-1.5 rounded-md border border-line bg-raised p-1.5">
      <span className="mx-1.5 h-1.5 w-1/2 rounded-full bg-line" />
      <span className="flex items-center justify-between rounded-sm bg-accent-soft px-1.5 py-1">
        <span className="h-1.5 w-1/2 rounded-full bg-accent" />
        {icon}
      </span>
    </div>
  )
}

function MenuBar() {
  return (
    <div className="flex w-full items-center gap-2 rounded-sm border border-line bg-raised px-2 py-1.5">
      <span className="size-2 rounded-full bg-ink-faint" />
      <span className="h-2 w-5 rounded-full bg-line" />
      <span className="h-2 w-5 rounded-full bg-accent" />
      <span className="h-2 w-5 rounded-full bg-line" />
    </div>
  )
}

const other = <span className="size-6 rounded-md bg-line" />
const ours = (
  <span className="grid size-8 place-items-center rounded-lg border border-line bg-raised">
    <Logo />
  </span>
)

function HomeScreen() {
  return (
    <div className="flex items-center gap-2">
      {other}
      {ours}
      {other}
    </div>
  )
}

function Dock() {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-raised px-2 py-1">
      {other}
      {other}
      {ours}
    </div>
  )
}
