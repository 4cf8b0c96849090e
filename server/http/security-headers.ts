// What every answer tells the browser about what it may do with it.
import type { Config } from '../../contract/schemas/config.ts'

/** Nothing at all that is not named here. */
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
  'posthogPublicKey' | 'posthogHost' | 'sentryDsn' | 'recaptchaKey' | 'recaptchaScriptUrl'
>

/** Whom the app asks besides its own server, by directive: who is not configured is not there. */
function thirdPartySources(config: ThirdPartyConfig): Record<string, string[]> {
  const { posthogPublicKey, posthogHost, sentryDsn, recaptchaKey, recaptchaScriptUrl } = config
  const reporting = [posthogPublicKey && posthogHost, sentryDsn].flatMap(originOf)
  // What the check's script asks for by itself (Google's own list for reCAPTCHA).
  const check = (recaptchaKey ? originOf(recaptchaScriptUrl) : []).map((one) => `${one}/recaptcha/`)
  const isChecked = check.length > 0
  return {
    'connect-src': [...reporting, ...check],
    'script-src': isChecked ? [...check, 'https://www.gstatic.com/recaptcha/'] : [],
    'frame-src': isChecked ? [...check, 'https://recaptcha.google.com/recaptcha/'] : [],
  }
}

/** The origin of a web address; none of what is none, or could be read as more than one source. */
function originOf(address: string | null | undefined): string[] {
  const url = URL.parse(address ?? '')
  return url && /^https?:$/.test(url.protocol) && !/[;,'*]/.test(url.host) ? [url.origin] : []
}

/** The content security policy: no inline script or style, no framing, nobody who is not configured. */
export function contentSecurityPolicy(config: ThirdPartyConfig): string {
  const extra = thirdPartySources(config)
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

/** What sets the security headers. Strict transport only where the browser came by https: elsewhere it would lock people out. */
export function createSecurityHeaders(config: ThirdPartyConfig) {
  const all = { 'Content-Security-Policy': contentSecurityPolicy(config), ...SECURITY_HEADERS }
  return (headers: Headers, isHttps: boolean): void => {
    for (const [name, value] of Object.entries(all)) headers.set(name, value)
    if (isHttps)
      headers.set('Strict-Transport-Security', `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`)
  }
}
