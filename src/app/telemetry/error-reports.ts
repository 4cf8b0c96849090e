// Errors are reported where a DSN is configured: the client is fetched when the first one is there.
import type { Config } from '../../../contract/schemas/config.ts'
import { CallError } from '../../sync/client.ts'
import { isMissingChunk } from '../navigation/lazy-screen.tsx'
import { setErrorHandler } from './early-errors.ts'

/** Only what is broken in the app. No network, a refusal and a part that is gone are part of the day. */
const isReportable = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof CallError) &&
  error.name !== 'AbortError' &&
  !isMissingChunk(error)

/** Reports errors from now on, and those that came before. Nothing breaks where that is blocked. */
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
