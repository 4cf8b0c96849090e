/** Where the app opens when nobody asked for a place. */
const HOME = '/success-plans'

/**
 * The path to go to after sign-in: the one that was asked for, when it is of this origin, else the
 * home screen. `//host`, `/\host` and whole URLs lead elsewhere and are refused.
 */
export function returnPath(asked: string | null): string {
  if (!asked?.startsWith('/') || /^\/[/\\]/.test(asked)) return HOME
  // What a browser would make of it decides, tabs and line breaks included.
  const base = 'https://here.invalid'
  const url = new URL(asked, base)
  if (url.origin !== base || url.pathname.startsWith('/auth')) return HOME
  return `${url.pathname}${url.search}${url.hash}`
}
