// Analytics by PostHog: which pages are opened and how fast they are, and nothing that it would find
// out by itself.
import { posthog, type CaptureResult } from 'posthog-js/dist/module.slim.no-external.js'
import { onCLS, onINP, onLCP, type Metric } from 'web-vitals'
import { consent } from './consent.ts'
import { pagePath } from './page-path.ts'

/** Of all properties that the client makes, those that say nothing about who it is or what was written. */
const ALLOWED_PROPERTIES =
  /^(?:token|distinct_id|\$(?:device_id|session_id|window_id|lib|lib_version|host|browser|browser_version|os|os_version|device_type|(?:screen|viewport)_(?:height|width)|insert_id|time|process_person_profile|current_url|pathname|web_vitals_\w+_value))$/

/** Leaves at once, also while the page is left; and what fails is not tried again. */
const SEND_OPTIONS = { transport: 'sendBeacon', send_instantly: true } as const

/** A new event with what is known to be harmless; null without consent. */
function sanitise({ uuid, event, properties, timestamp }: CaptureResult): CaptureResult | null {
  if (consent() !== 'yes') return null
  const allowed = Object.entries(properties).filter(([name]) => ALLOWED_PROPERTIES.test(name))
  return { uuid, event, properties: Object.fromEntries(allowed), ...(timestamp && { timestamp }) }
}

const urlProperties = (path: string) => ({
  $current_url: location.origin + path,
  $pathname: path.split('?', 1).join(''),
})

export interface PostHogClient {
  /** Tells that the page at that path was opened. */
  pageView: (path: string) => void
  /** Whether it may keep on the device by what it knows this browser again. */
  setPersistence: (keeps: boolean) => void
}

/** Starts the client for the project with that key. Throws nothing when it is blocked. */
export function startPostHog(key: string, host: string, keeps: boolean): PostHogClient {
  posthog.init(key, {
    api_host: host,
    before_send: sanitise,
    persistence: 'localStorage',
    disable_persistence: !keeps,
    person_profiles: 'never',
    request_batching: false,
    // Robots do not agree to anything.
    opt_out_useragent_filter: true,
    on_request_error: () => undefined,
    // What it would do by itself:
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
  onLCP(vital)
  onINP(vital)
  onCLS(vital)
  return {
    pageView: (path) => void posthog.capture('$pageview', urlProperties(path), SEND_OPTIONS),
    setPersistence: (keeps) => {
      if (!keeps) posthog.reset(true)
      posthog.set_config({ disable_persistence: !keeps })
    },
  }
}
