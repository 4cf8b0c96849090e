// Sends a notification to one browser by its push service. The services are named in the configuration:
// the address comes from a browser, and this server asks nobody on anybody's word.
import webPush from 'web-push'
import type { PushMessage } from '../../contract/schemas/push.ts'
import type { PushConfiguration } from '../configuration/integrations.ts'

interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}

/** `gone`: nobody is there any more, and the subscription is of no use. */
type PushOutcome = 'sent' | 'gone' | 'refused' | { retryInMs: number }

export interface PushService {
  /** Whether that address belongs to a service that notifications may be sent to. */
  isAllowedEndpoint(endpoint: string): boolean
  /** Sends; for so many `seconds` the service keeps it for a browser that is away. */
  send(subscription: Subscription, message: PushMessage, ttlSeconds: number): Promise<PushOutcome>
}

const SEND_TIMEOUT_MS = 10_000
const GONE = [404, 410]
const BUSY = [408, 425, 429]

function isEndpointOf(service: string, endpoint: URL): boolean {
  const [scheme = '', rest = ''] = service.split('://*')
  return rest === ''
    ? endpoint.origin === service
    : endpoint.protocol === `${scheme}:` && endpoint.port === '' && endpoint.hostname.endsWith(rest)
}

export function createPushService(configuration: PushConfiguration): PushService {
  const { publicKey, privateKey, subject, services } = configuration
  const isAllowedEndpoint = (endpoint: string) =>
    URL.canParse(endpoint) && services.some((service) => isEndpointOf(service, new URL(endpoint)))
  return {
    isAllowedEndpoint,
    async send({ endpoint, p256dh, auth }, message, ttlSeconds) {
      // The services may have been others when it was kept.
      if (!isAllowedEndpoint(endpoint)) return 'gone'
      const request = encrypted({ endpoint, keys: { p256dh, auth } }, message, {
        vapidDetails: { subject, publicKey, privateKey },
        TTL: ttlSeconds,
        topic: message.tag,
      })
      // Its keys are not keys: no browser made them.
      if (!request) return 'gone'
      const { status, headers } = await fetch(endpoint, {
        method: 'POST',
        headers: request.headers,
        body: new Uint8Array(request.body ?? []),
        redirect: 'manual',
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      })
      if (status >= 200 && status < 300) return 'sent'
      if (GONE.includes(status)) return 'gone'
      if (status < 500 && !BUSY.includes(status)) return 'refused'
      return { retryInMs: Math.max(0, Number(headers.get('Retry-After')) || 0) * 1_000 }
    },
  }
}

function encrypted(
  subscription: webPush.PushSubscription,
  message: PushMessage,
  options: webPush.RequestOptions,
): webPush.RequestDetails | undefined {
  try {
    return webPush.generateRequestDetails(subscription, JSON.stringify(message), options)
  } catch {
    return undefined
  }
}
