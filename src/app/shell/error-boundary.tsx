import { Component, lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { sync } from '../../sync/client.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { buttonClass } from '../../ui/button.tsx'
import { dismissToasts, toast } from '../../ui/overlay/toast.tsx'
import { isMissingChunk } from '../navigation/lazy-screen.tsx'
import { mayReload, reload } from './reload.ts'
import { captureError } from '../telemetry/early-errors.ts'
import { appMessages as messages } from './messages.ts'

const ErrorScreen = lazy(() =>
  import('./error-screen.tsx').then(
    (file) => ({ default: file.ErrorScreen }),
    () => ({ default: BareErrorMessage }),
  ),
)

interface ErrorBoundaryProps {
  /** Removes the failed subtree. If given, a message is shown in place of the error page. */
  onFailed?: () => void
  children: ReactNode
}

/** Shows the error page instead of a failed subtree until the user retries or navigates. */
export function ErrorBoundary(props: ErrorBoundaryProps) {
  return <Boundary {...props} locationKey={useLocation().key} />
}

interface Props extends ErrorBoundaryProps {
  locationKey: string
}

interface State {
  locationKey: string
  failed?: { error: unknown } | undefined
}

class Boundary extends Component<Props, State> {
  override state: State = { locationKey: this.props.locationKey }

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } }
  }

  static getDerivedStateFromProps({ locationKey }: Props, state: State): State | null {
    return locationKey === state.locationKey ? null : { locationKey, failed: undefined }
  }

  override componentDidCatch(error: unknown) {
    captureError(error)
    const { onFailed } = this.props
    if (!onFailed) return
    if (isMissingChunk(error)) offerReload()
    else toast(messages.partFailed)
    onFailed()
    this.#tryAgain()
  }

  readonly #tryAgain = () => this.setState({ failed: undefined })

  override render() {
    const { failed } = this.state
    if (!failed) return this.props.children
    return !this.props.onFailed && <FailedScreen error={failed.error} onRetry={this.#tryAgain} />
  }
}

/** The chunk stays missing until the page is loaded again. Another press does not repeat the message. */
function offerReload() {
  const text = sync().connection.get() === 'offline' ? messages.chunkOffline : messages.chunkFailed
  dismissToasts(text)
  toast(text, { label: messages.reload, opens: true, onSelect: () => void reload() })
}

interface FailedScreenProps {
  error: unknown
  onRetry: () => void
}

/** Reloads after a missing chunk where that can help; otherwise shows the error page. */
function FailedScreen(props: FailedScreenProps) {
  const online = useConnection() === 'online'
  const [shouldReload] = useState(() => isMissingChunk(props.error) && mayReload(online))
  useEffect(() => {
    if (shouldReload) void reload()
  }, [shouldReload])
  if (shouldReload) return null
  return (
    <Suspense>
      <ErrorScreen {...props} />
    </Suspense>
  )
}

/** Used when the error page's own chunk cannot be loaded. */
function BareErrorMessage() {
  return (
    <p role="alert" className="p-6">
      {messages.chunkOffline}{' '}
      <button type="button" className={buttonClass()} onClick={() => void reload()}>
        {messages.reload}
      </button>
    </p>
  )
}
