import { ArrowUp, Check, Clock3, CloudOff, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { ErrorBoundary } from '../shell/error-boundary.tsx'
import { useSyncState, type SyncState } from './sync-state.ts'
import { syncMessages as messages } from './messages.ts'

const SyncPanel = lazy(async () => ({ default: (await import('./sync-panel.tsx')).SyncPanel }))

const LOOKS = {
  offline: { icon: CloudOff, colour: 'bg-offline text-offline-ink' },
  pending: { icon: Clock3, colour: 'bg-offline text-offline-ink' },
  sending: { icon: ArrowUp, colour: 'bg-offline text-offline-ink' },
  server: { icon: TriangleAlert, colour: 'bg-offline text-offline-ink' },
  attention: { icon: TriangleAlert, colour: 'bg-glow-soft text-glow-ink' },
  'all-sent': { icon: Check, colour: 'bg-success text-success-ink' },
} as const satisfies Record<Exclude<SyncState['kind'], 'quiet'>, unknown>

/** Shows the sync state and opens the sync centre. Hidden while everything is synced. */
export function SyncPill() {
  const state = useSyncState()
  const [open, setOpen] = useState(false)
  return (
    <>
      <output className="sr-only">{state.kind === 'quiet' ? '' : state.text}</output>
      {state.kind !== 'quiet' && <Pill state={state} onOpen={() => setOpen(true)} />}
      <ErrorBoundary onFailed={() => setOpen(false)}>
        <Suspense>{open && <SyncPanel onClose={() => setOpen(false)} />}</Suspense>
      </ErrorBoundary>
    </>
  )
}

function Pill(props: { state: Exclude<SyncState, { kind: 'quiet' }>; onOpen: () => void }) {
  const { kind, text, short = text } = props.state
  const { icon: Icon, colour } = LOOKS[kind]
  return (
    <button
      type="button"
      aria-label={messages.pill(text)}
      onClick={props.onOpen}
      className={`inline-flex min-h-8 animate-fade items-center gap-1.5 rounded-full border border-transparent px-3 text-xs font-semibold whitespace-nowrap coarse:min-h-11 ${colour}`}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {/* One text in the page, whichever of its forms is painted. */}
      <span
        data-short={short}
        className="inline-flex items-center max-lg:text-[0px] max-lg:before:text-xs max-lg:before:content-[attr(data-short)]"
      >
        {text}
      </span>
    </button>
  )
}
