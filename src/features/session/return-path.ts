/** Where the app opens if no path was requested. */
const HOME = '/'

/**
 * The path to open after signing in: the requested one if it has this origin, else the home screen.
 * Other URLs, including `//host` and `/\host`, are rejected.
 */
export function returnPath(asked: string | null): string {
  if (!asked?.startsWith('/') || /^\/[/\\]/.test(asked)) return HOME
  // Parsed by the browser's own rules, because tabs and line breaks are ignored in URLs.
  const base = 'https://here.invalid'
  const url = URL.parse(asked, base)
  if (url?.origin !== base || /^\/(auth|\/)/.test(url.pathname)) return HOME
  return `${url.pathname}${url.search}${url.hash}`
}

/**
 * The path for the user who signed in now. `before` was signed out last; the stored path is only
 * theirs.
 */
export const returnPathFor = (
  asked: string | null,
  before: { user_id: string } | undefined,
  now: { user: { id: string } } | null,
): string => returnPath(!before || before.user_id === now?.user.id ? asked : null)
