// PostHog client: page views and page speed only, with all automatic capturing off.
import { posthog, type CaptureResult } from 'posthog-js/dist/module.slim.no-external.js'
import type { Metric } from 'web-vitals'
import { consent } from './consent.ts'
import { pagePath } from './page-path.ts'
import { watchWebVitals } from './web-vitals-client.ts'

/** The client's properties that reveal neither the user nor any text. */
const ALLOWED_PROPERTIES =
  /^(?:token|distinct_id|\$(?:device_id|session_id|window_id|lib|lib_version|host|browser|browser_version|os|os_version|device_type|(?:screen|viewport)_(?:height|width)|insert_id|time|process_person_profile|current_url|pathname|web_vitals_\w+_value))$/

/** Sends at once, also while the page is being closed; failures are not retried. */
const SEND_OPTIONS = { transport: 'sendBeacon', send_instantly: true } as const

/** A new event with allowed properties only; null without consent. */
function sanitise({ uuid, event, properties, timestamp }: CaptureResult): CaptureResult | null {
  if (consent() !== 'yes') return null
  const allowed = Object.entries(properties).filter(([name]) => ALLOWED_PROPERTIES.test(name))
  return { uuid, event, properties: Object.fromEntries(allowed), ...(timestamp && { timestamp }) }
}

const urlProperties = (path: string) => ({
  $current_url: location.origin + path,
  $pathname: path.split('?', 1).join(''),
})

/** The calls that the app makes to the analytics client. */
export interface PostHogClient {
  /** Reports a page view for that path. */
  pageView: (path: string) => void
  /** Whether the client may store an identifier that recognises this browser. */
  setPersistence: (keeps: boolean) => void
}

/** Starts the client for that project. Does not throw if it is blocked. */
export function startPostHog(key: string, host: string, keeps: boolean): PostHogClient {
  posthog.init(key, {
    api_host: host,
    before_send: sanitise,
    persistence: 'localStorage',
    disable_persistence: !keeps,
    person_profiles: 'never',
    request_batching: false,
    // Bots cannot consent.
    opt_out_useragent_filter: true,
    on_request_error: () => undefined,
    // Disable everything it captures by default:
    autocapture: false,
    capture_pageview: false,
    capture_pageleave: false,
    capture_heatmaps: false,
    capture_dead_clicks: false,
    capture_exceptions: false,
    capture_performance: false,
    rageclick: false,
    save_referrer: false,
    save_campaign_params: false,
    disable_capture_url_hashes: true,
    disable_session_recording: true,
    disable_surveys: true,
    disable_conversations: true,
    disable_product_tours: true,
    disable_external_dependency_loading: true,
    advanced_disable_flags: true,
    cross_subdomain_cookie: false,
  })
  const vital = ({ name, value }: Metric) =>
    posthog.capture(
      '$web_vitals',
      { ...urlProperties(pagePath(location)), [`$web_vitals_${name}_value`]: value },
      SEND_OPTIONS,
    )
  watchWebVitals(vital)
  return {
    pageView: (path) => void posthog.capture('$pageview', urlProperties(path), SEND_OPTIONS),
    setPersistence: (keeps) => {
      if (!keeps) posthog.reset(true)
      posthog.set_config({ disable_persistence: !keeps })
    },
  }
}
