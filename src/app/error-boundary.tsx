import { Component, lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useConnection } from '../sync/react.ts'
import { buttonClass } from '../ui/button.tsx'
import { isMissingPart } from './part.tsx'
import { mayReload, reload } from './reload.ts'
import { tellError } from './telemetry/early-errors.ts'
import { appWords as messages } from './words.ts'

const ErrorScreen = lazy(() =>
  import('./error-screen.tsx').then(
    (file) => ({ default: file.ErrorScreen }),
    () => ({ default: Bare }),
  ),
)

/** Shows the error page in place of what failed, until one tries again or goes elsewhere. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <Boundary place={useLocation().key}>{children}</Boundary>
}

interface Props {
  place: string
  children: ReactNode
}

interface State {
  place: string
  failed?: { error: unknown } | undefined
}

class Boundary extends Component<Props, State> {
  override state: State = { place: this.props.place }

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } }
  }

  static getDerivedStateFromProps({ place }: Props, state: State) {
    return place === state.place ? null : { place, failed: undefined }
  }

  override componentDidCatch(error: unknown) {
    tellError(error)
  }

  readonly #tryAgain = () => this.setState({ failed: undefined })

  override render() {
    const { failed } = this.state
    return failed ? <Failed error={failed.error} onRetry={this.#tryAgain} /> : this.props.children
  }
}

interface FailedProps {
  error: unknown
  onRetry: () => void
}

/** Without a part of the app, a fresh page where that helps. Else the error page. */
function Failed(props: FailedProps) {
  const online = useConnection() === 'online'
  const [curable] = useState(() => isMissingPart(props.error) && mayReload(online))
  useEffect(() => {
    if (curable) void reload()
  }, [curable])
  if (curable) return null
  return (
    <Suspense>
      <ErrorScreen {...props} />
    </Suspense>
  )
}

/** Where not even the error page can be had. */
function Bare() {
  return (
    <p role="alert" className="p-6">
      {messages.chunkOffline}{' '}
      <button type="button" className={buttonClass()} onClick={() => void reload()}>
        {messages.reload}
      </button>
    </p>
  )
}
