// What the browser remembers for the server and for whoever looks at cookies: choices, never data.

/** What a cookie of that name holds; undefined when there is none. */
export function readCookie(name: string): string | undefined {
  const start = `${name}=`
  return document.cookie
    .split('; ')
    .find((one) => one.startsWith(start))
    ?.slice(start.length)
}

/** Keeps a value of letters and digits for so many days, on every path; never sent by other sites. */
export function writeCookie(name: string, value: string, maxAgeDays: number): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${name}=${value}; max-age=${maxAgeDays * 86_400}; path=/; samesite=lax${secure}`
}
