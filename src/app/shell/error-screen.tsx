import { useEffect, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { isMissingChunk } from '../navigation/lazy-screen.tsx'
import { reload } from './reload.ts'
import { errorMessages } from './error-messages.ts'
import { appMessages as messages } from './messages.ts'

interface ErrorScreenProps {
  error: unknown
  /** Renders the failed subtree again. */
  onRetry: () => void
}

/** The error page for a failed screen (specification, section 2). */
export function ErrorScreen({ error, onRetry }: ErrorScreenProps) {
  const { pathname, search, hash } = useLocation()
  const isMissing = isMissingChunk(error)
  const status = statusOf(error)
  const title = isMissing
    ? errorMessages.chunkTitle
    : status === 404
      ? errorMessages.notFound
      : errorMessages.serverError

  useEffect(() => {
    document.title = `${title} · Cairn`
  }, [title])

  if (isMissing)
    return (
      <ErrorPage title={title} actions={<ReloadButton primary />}>
        {messages.chunkOffline}
      </ErrorPage>
    )
  return (
    <ErrorPage
      title={title}
      actions={
        <>
          <Button variant="primary" onClick={onRetry}>
            {errorMessages.tryAgain}
          </Button>
          <ReloadButton />
        </>
      }
    >
      <p className="tabular-nums">{status}</p>
      <p>{errorMessages.lead}</p>
      <p className="mt-2 font-mono text-xs break-words">
        {status === 404
          ? `${pathname}${search}${hash}`
          : error instanceof Error
            ? error.message
            : ''}
      </p>
    </ErrorPage>
  )
}

interface ErrorPageProps {
  title: string
  children: ReactNode
  /** Shown next to the link to the plans. */
  actions: ReactNode
}

/** Announced by screen readers, because it replaces the screen without a user action. */
const ErrorPage = ({ title, children, actions }: ErrorPageProps) => (
  <div role="alert">
    <Empty
      level={1}
      scene="fog"
      title={title}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {actions}
          <Link to="/success-plans" className={buttonClass()}>
            {errorMessages.toPlans}
          </Link>
        </div>
      }
    >
      {children}
    </Empty>
  </div>
)

const ReloadButton = ({ primary = false }) => (
  <Button {...(primary && { variant: 'primary' })} onClick={() => void reload()}>
    {messages.reload}
  </Button>
)

/** Status of the response that caused the error; 500 for an error of the app itself. */
const statusOf = (error: unknown): number =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'
    ? error.status
    : 500
