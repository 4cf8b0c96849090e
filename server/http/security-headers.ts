// Security headers of every response.
import type { Context } from 'hono'
import type { Config } from '../../contract/schemas/config.ts'

/** The content security policy without external services. */
const BASE_POLICY: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'"],
  'manifest-src': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'object-src': ["'none'"],
}

type ThirdPartyConfig = Pick<
  Config,
  | 'apiBaseUrl'
  | 'posthogPublicKey'
  | 'posthogHost'
  | 'sentryDsn'
  | 'recaptchaKey'
  | 'recaptchaScriptUrl'
>

/** Sources of configured external services, by directive. */
function thirdPartySources(config: ThirdPartyConfig): Record<string, string[]> {
  const { apiBaseUrl, posthogPublicKey, posthogHost, sentryDsn, recaptchaKey, recaptchaScriptUrl } =
    config
  const reporting = [posthogPublicKey && posthogHost, sentryDsn].flatMap(originOf)
  // The sources that Google documents for reCAPTCHA.
  const check = (recaptchaKey ? originOf(recaptchaScriptUrl) : []).map(
    (origin) => `${origin}/recaptcha/`,
  )
  const isChecked = check.length > 0
  return {
    'connect-src': [...originOf(apiBaseUrl), ...reporting, ...check],
    'script-src': isChecked ? [...check, 'https://www.gstatic.com/recaptcha/'] : [],
    'frame-src': isChecked ? [...check, 'https://recaptcha.google.com/recaptcha/'] : [],
  }
}

/**
 * The origin of a web address, as a list; empty for anything else, and for hosts that could inject a
 * directive.
 */
function originOf(address: string | null | undefined): string[] {
  const url = URL.parse(address ?? '')
  return url && /^https?:$/.test(url.protocol) && !/[;,'*]/.test(url.host) ? [url.origin] : []
}

/** The Content-Security-Policy: no inline scripts or styles, no framing, only configured services. */
export const contentSecurityPolicy = (config: ThirdPartyConfig): string =>
  policyWith(thirdPartySources(config))

/**
 * That of the service worker: a browser keeps it with the script until the next build, and an API that moves must be
 * reachable before. The worker has no page, and runs only scripts of its build.
 */
const WORKER_POLICY = policyWith({ 'connect-src': ['https:', 'http:'] })
const WORKER_PATH = '/sw.js'

function policyWith(extra: Record<string, string[]>): string {
  return [...new Set([...Object.keys(BASE_POLICY), ...Object.keys(extra)])]
    .map((name) => [name, ...(BASE_POLICY[name] ?? []), ...(extra[name] ?? [])])
    .filter((directive) => directive.length > 1)
    .map((directive) => directive.join(' '))
    .join('; ')
}

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
} as const

const ONE_YEAR_SECONDS = 31_536_000

/**
 * Returns the function that sets the headers of an answer under that path. HSTS only over https: with http it would
 * lock users out.
 */
export function createSecurityHeaders(config: ThirdPartyConfig) {
  const policy = contentSecurityPolicy(config)
  return (headers: Headers, isHttps: boolean, path = '/'): void => {
    headers.set('Content-Security-Policy', path === WORKER_PATH ? WORKER_POLICY : policy)
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value)
    if (isHttps)
      headers.set('Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`)
  }
}

/** Returns the function that completes the headers of an answer: no cache may store it unless it allows that. */
export function createAnswerHeaders(config: ThirdPartyConfig, trustProxy: boolean) {
  const setSecurityHeaders = createSecurityHeaders(config)
  return ({ req, res: { headers } }: Context): void => {
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
    const forwarded = trustProxy ? req.header('X-Forwarded-Proto') : undefined
    const isHttps = (forwarded ?? new URL(req.url).protocol).startsWith('https')
    setSecurityHeaders(headers, isHttps, req.path)
  }
}
