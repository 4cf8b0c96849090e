// Cookies hold choices such as language and consent, never data.

/** The value of the cookie with that name; undefined if it is not set. */
export function readCookie(name: string): string | undefined {
  const start = `${name}=`
  return document.cookie
    .split('; ')
    .find((one) => one.startsWith(start))
    ?.slice(start.length)
}

/**
 * Sets a first-party cookie on every path. `value` must be letters and
 * digits, because it is not encoded.
 */
export function writeCookie(name: string, value: string, maxAgeDays: number): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${name}=${value}; max-age=${maxAgeDays * 86_400}; path=/; samesite=lax${secure}`
}
