// Sentry client without the integrations that record user behaviour.
import {
  BrowserClient,
  dedupeIntegration,
  defaultStackParser,
  makeFetchTransport,
  Scope,
  type ErrorEvent,
} from '@sentry/react'
import type { Config } from '../../../contract/schemas/config.ts'
import { sync } from '../../sync/client.ts'
import { pagePath } from './page-path.ts'
import { scrub, scrubUrl } from './scrub.ts'

/** Limits reports from an error that repeats on every frame. */
const MAX_REPORTS = 20

/**
 * Returns a function that reports a scrubbed error to that environment's Sentry. Throws if the DSN is
 * invalid.
 */
export function startSentry(config: Config): (error: unknown) => void {
  const { sentryDsn, environment, sentryOrg, sentryProjectId } = config
  const client = new BrowserClient({
    dsn: sentryDsn ?? '',
    environment,
    release: `cairn@${buildName()}`,
    transport: makeFetchTransport,
    stackParser: defaultStackParser,
    integrations: [dedupeIntegration()],
    sendClientReports: false,
    enhanceFetchErrorMessages: false,
    maxBreadcrumbs: 0,
    beforeSend: (event) => ({
      ...sanitise(event),
      tags: { organisation: sentryOrg, project: sentryProjectId },
    }),
  })
  const scope = new Scope()
  scope.setClient(client)
  client.init()
  let left = MAX_REPORTS
  return (error) => {
    if (left-- > 0) scope.captureException(error)
  }
}

/** A new event with known-harmless fields, instead of removing fields from the original. */
function sanitise(event: ErrorEvent): ErrorEvent {
  const { event_id, timestamp, platform, level, release, environment, exception } = event
  const names = knownNames()
  return {
    type: undefined,
    ...(event_id !== undefined && { event_id }),
    ...(timestamp !== undefined && { timestamp }),
    ...(platform !== undefined && { platform }),
    ...(level !== undefined && { level }),
    ...(release !== undefined && { release }),
    ...(environment !== undefined && { environment }),
    request: { url: location.origin + pagePath(location) },
    exception: {
      values: (exception?.values ?? []).map(({ type = 'Error', value = '', stacktrace }) => ({
        type,
        value: scrub(value, names).slice(0, 300),
        ...(stacktrace && {
          stacktrace: {
            frames: (stacktrace.frames ?? []).map(
              ({ filename = '', function: name = '?', lineno = 0, colno = 0 }) => ({
                filename: scrubUrl(filename),
                function: name,
                lineno,
                colno,
                in_app: true,
              }),
            ),
          },
        }),
      })),
    },
  }
}

/** Names of the signed-in user and of their organisation. */
function knownNames(): string[] {
  const session = sync().session.current()
  const { user, active_organisation } = session ?? {}
  return [user?.['name'], user?.['email'], active_organisation?.['name']].filter(
    (name) => typeof name === 'string',
  )
}

/** The build is identified by the folder of its entry file. */
const buildName = () =>
  /\/build-(\w+)\//.exec(
    document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '',
  )?.[1] ?? 'development'
