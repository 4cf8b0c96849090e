// Error reports by Sentry: the client alone, with none of its integrations that watch what people do.
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

/** A screen that breaks at each frame says so often enough. */
const MAX_REPORTS = 20

/** What reports an error, scrubbed, to that environment's Sentry. Throws where the DSN makes no sense. */
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

/** A new event with what is known to be harmless, rather than the old one without what is not. */
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

/** What whoever is signed in is called, and where they work. */
function knownNames(): string[] {
  const session = sync().session.current()
  const { user, active_organisation } = session ?? {}
  return [user?.['name'], user?.['email'], active_organisation?.['name']].filter(
    (name) => typeof name === 'string',
  )
}

/** A build is known by the name of its first file. */
const buildName = () =>
  /-([\w-]+)\.js/.exec(
    document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '',
  )?.[1] ?? 'development'
