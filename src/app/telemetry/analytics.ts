// When PostHog is fetched and what it is told; the specification's page views, section 2.
import type { Config } from '../../../contract/schemas/config.ts'
import { sync } from '../../sync/client.ts'
import { consent } from './consent.ts'
import type { PostHogClient } from './posthog-client.ts'

export interface AnalyticsProject {
  key: string
  host: string
}

/** Where page views go in that environment; undefined where nobody wants them. */
export const analyticsProjectOf = ({ posthogPublicKey: key, posthogHost: host }: Config) =>
  key === null || host === null ? undefined : { key, host }

let client: Promise<PostHogClient | undefined> | undefined

/** Tells that the page at that path was opened. It waits for nothing. */
export function trackPage({ key, host }: AnalyticsProject, path: string): void {
  if (consent() !== 'yes') return
  client ??= import('./posthog-client.ts')
    // Asked by then: somebody may have left while it was fetched.
    .then(({ startPostHog }) => startPostHog(key, host, sync().session.current() !== null))
    // Blocked, or gone: then nobody is told.
    .catch(() => undefined)
  void client.then((posthog) => posthog?.pageView(path))
}

/** Lets the client keep something on this device, or takes from it what it kept. */
export async function setPersistence(persist: boolean): Promise<void> {
  await client?.then((posthog) => posthog?.setPersistence(persist))
  if (persist) return
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (/^(?:__)?ph_/.test(key)) storage.removeItem(key)
}
