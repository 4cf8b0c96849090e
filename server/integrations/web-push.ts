// Sends notifications to browsers by Web Push (RFC 8030, 8291, 8292). Only push services from the configuration
// are called, because the endpoint comes from a browser (server-side request forgery).
import webPush from 'web-push'
import type { PushMessage } from '../../contract/schemas/push.ts'
import type { PushConfiguration } from '../configuration/integrations.ts'
import { sha256 } from '../hash.ts'

interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}

/**
 * `gone`: the subscription no longer exists. `refused`: this message was rejected. Otherwise retry
 * after that time.
 */
type PushOutcome = 'sent' | 'gone' | 'refused' | { retryInMs: number }

/** Sends encrypted messages to push services. */
export interface PushService {
  /** Whether the endpoint belongs to a configured push service. */
  isAllowedEndpoint(endpoint: string): boolean
  /**
   * Sends a message, which the service keeps for `ttlSeconds` while the browser is offline. Rejects on
   * network errors, and when the message cannot be signed.
   */
  send(subscription: Subscription, message: PushMessage, ttlSeconds: number): Promise<PushOutcome>
}

const SEND_TIMEOUT_MS = 10_000
const GONE = [404, 410]
const BUSY = [408, 425, 429]

/** Labels of a host name, none of them empty. */
const isHostName = (name: string) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name)

function isEndpointOf(service: string, endpoint: URL): boolean {
  // `fetch` refuses an address with a user, so nothing could be sent there.
  if (endpoint.username !== '' || endpoint.password !== '') return false
  const [scheme = '', rest = ''] = service.split('://*')
  if (rest === '') return endpoint.origin === service
  const { protocol, port, hostname } = endpoint
  return (
    protocol === `${scheme}:` &&
    port === '' &&
    hostname.endsWith(rest) &&
    isHostName(hostname.slice(0, -rest.length))
  )
}

/** A push service with the VAPID keys and allowed origins of the configuration. */
export function createPushService(configuration: PushConfiguration): PushService {
  const { publicKey, privateKey, subject, services } = configuration
  const isAllowedEndpoint = (endpoint: string) =>
    URL.canParse(endpoint) && services.some((service) => isEndpointOf(service, new URL(endpoint)))
  return {
    isAllowedEndpoint,
    async send({ endpoint, p256dh, auth }, message, ttlSeconds) {
      // The allowed services may have changed since the subscription was stored.
      if (!isAllowedEndpoint(endpoint)) return 'gone'
      const request = encrypted({ endpoint, keys: { p256dh, auth } }, message, {
        vapidDetails: { subject, publicKey, privateKey },
        TTL: ttlSeconds,
        topic: topicOf(message.tag),
      })
      // The key is not valid, so no browser created this subscription.
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

/** RFC 8030 allows 32 characters. It is not encrypted, so a hash also hides the tag from the push service. */
const topicOf = (tag: string) => sha256(tag).toString('base64url').slice(0, 32)

/** Undefined when the browser's public key is invalid. Throws when the message cannot be made for another reason. */
function encrypted(
  subscription: webPush.PushSubscription,
  message: PushMessage,
  options: webPush.RequestOptions,
): webPush.RequestDetails | undefined {
  try {
    return webPush.generateRequestDetails(subscription, JSON.stringify(message), options)
  } catch (error) {
    if (isInvalidPublicKey(error)) return undefined
    throw error
  }
}

const isInvalidPublicKey = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY'
