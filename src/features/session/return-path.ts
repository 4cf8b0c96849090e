/** Where the app opens when nobody asked for a place. */
const HOME = '/'

/**
 * The path to go to after sign-in: the one that was asked for, when it is of this origin, else the
 * home screen. `//host`, `/\host` and whole URLs lead elsewhere and are refused.
 */
export function returnPath(asked: string | null): string {
  if (!asked?.startsWith('/') || /^\/[/\\]/.test(asked)) return HOME
  // What a browser would make of it decides, tabs and line breaks included.
  const base = 'https://here.invalid'
  const url = new URL(asked, base)
  if (url.origin !== base || /^\/(auth|\/)/.test(url.pathname)) return HOME
  return `${url.pathname}${url.search}${url.hash}`
}

/** The same for whoever signed in now. `before` was signed out last: the way back is that person's. */
export const returnPathFor = (
  asked: string | null,
  before: { user_id: string } | undefined,
  now: { user: { id: string } } | null,
): string => returnPath(!before || before.user_id === now?.user.id ? asked : null)
