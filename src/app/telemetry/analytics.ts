// When PostHog is loaded and what is sent: the page views of the specification, section 2.
import type { Config } from '../../../contract/schemas/config.ts'
import { sync } from '../../sync/client.ts'
import { consent } from './consent.ts'
import type { PostHogClient } from './posthog-client.ts'

/** The PostHog project and host that receive page views. */
export interface AnalyticsProject {
  key: string
  host: string
}

/** The analytics project of the environment; undefined if none is configured. */
export const analyticsProjectOf = ({ posthogPublicKey: key, posthogHost: host }: Config) =>
  key === null || host === null ? undefined : { key, host }

let client: Promise<PostHogClient | undefined> | undefined

/** Reports a page view. Does not block; failures are ignored. */
export function trackPage({ key, host }: AnalyticsProject, path: string): void {
  if (consent() !== 'yes') return
  client ??= import('./posthog-client.ts')
    // Read when the client has loaded: the user may have signed out meanwhile.
    .then(({ startPostHog }) => startPostHog(key, host, sync().session.current() !== null))
    // Blocked or unavailable: no analytics.
    .catch(() => undefined)
  void client.then((posthog) => posthog?.pageView(path))
}

/** Allows the client to store an identifier on this device, or removes it. */
export async function setPersistence(persist: boolean): Promise<void> {
  await client?.then((posthog) => posthog?.setPersistence(persist))
  if (persist) return
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (/^(?:__)?ph_/.test(key)) storage.removeItem(key)
}
