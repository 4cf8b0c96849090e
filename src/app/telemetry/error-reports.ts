// Errors are reported if a DSN is configured; the client is loaded with the first error.
import type { Config } from '../../../contract/schemas/config.ts'
import { CallError } from '../../sync/client.ts'
import { isMissingChunk } from '../navigation/lazy-screen.tsx'
import { setErrorHandler } from './early-errors.ts'

/** Only defects of the app. Network failures, rejected requests and missing chunks are expected. */
const isReportable = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof CallError) &&
  error.name !== 'AbortError' &&
  !isMissingChunk(error)

/** Reports errors from now on, and those collected so far. Does nothing if the client is blocked. */
export function startErrorReports(config: Config): void {
  let client: Promise<((error: unknown) => void) | undefined> | undefined
  setErrorHandler((error) => {
    if (config.sentryDsn === null || !isReportable(error)) return
    client ??= import('./sentry-client.ts')
      .then(({ startSentry }) => startSentry(config))
      .catch(() => undefined)
    void client.then((report) => report?.(error))
  })
}
