// What every answer tells the browser about what it may do with it.

/** No inline script or style, nothing from elsewhere, no framing. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ')

const SECURITY_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
} as const

const ONE_YEAR = 31_536_000

/** Sets the security headers. Strict transport only where the browser came by https: elsewhere it would lock people out. */
export function setSecurityHeaders(headers: Headers, isHttps: boolean): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value)
  if (isHttps) headers.set('Strict-Transport-Security', `max-age=${ONE_YEAR}; includeSubDomains`)
}
