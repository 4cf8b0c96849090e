// Errors are reported where a DSN is configured: the client is fetched when the first one is there.
import type { Config } from '../../../contract/config.ts'
import { CallError } from '../../sync/client.ts'
import { isMissingPart } from '../part.tsx'
import { hearErrors } from './early-errors.ts'

/** Only what is broken in the app. No network, a refusal and a part that is gone are part of the day. */
const isWorthTelling = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof CallError) &&
  error.name !== 'AbortError' &&
  !isMissingPart(error)

/** Reports errors from now on, and those that came before. Nothing breaks where that is blocked. */
export function startErrorReports(config: Config): void {
  let client: Promise<((error: unknown) => void) | undefined> | undefined
  hearErrors((error) => {
    if (config.sentryDsn === null || !isWorthTelling(error)) return
    client ??= import('./sentry-client.ts')
      .then(({ startSentry }) => startSentry(config))
      .catch(() => undefined)
    void client.then((report) => report?.(error))
  })
}
