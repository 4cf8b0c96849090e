import { CircleAlert, CloudOff, Info, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { uiMessages } from '../messages.ts'

type Tone = 'neutral' | 'offline' | 'warn' | 'danger'

const COLOURS: Record<Tone, string> = {
  neutral: 'bg-accent-soft text-ink',
  offline: 'bg-offline text-offline-ink',
  warn: 'bg-glow-soft text-glow-ink',
  danger: 'bg-danger text-danger-ink',
}
const ICONS = { neutral: Info, offline: CloudOff, warn: TriangleAlert, danger: CircleAlert }

interface NoticeProps {
  tone?: Tone
  title?: string
  children?: ReactNode
  /** One button or link at the end. */
  action?: ReactNode
  onDismiss?: () => void
}

/** A message in the page. `danger` is announced at once; the others are not. */
export function Notice({ tone = 'neutral', title, children, action, onDismiss }: NoticeProps) {
  const Icon = ICONS[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : undefined}
      className={`flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border border-transparent px-4 py-3 text-sm ${COLOURS[tone]}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 basis-48">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {action}
      {onDismiss && (
        <Button
          icon
          variant="quiet"
          aria-label={uiMessages.dismiss}
          onClick={onDismiss}
          className="-my-2 -me-2 text-current"
        >
          <X aria-hidden />
        </Button>
      )}
    </div>
  )
}
