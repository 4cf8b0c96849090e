// The navigation guards (specification, section 2), in order. Pure: the visitor is passed in, so that
// no navigation waits for the network.

import { matchRoutes } from 'react-router'
import type { Config } from '../../../contract/schemas/config.ts'
import type { Organisation } from '../../../contract/schemas/organisations.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { isOwner } from '../../../contract/roles.ts'
import { pageAt } from '../../ui/platform/load-page.ts'

type GuardedUrl = Pick<URL, 'href' | 'origin' | 'pathname' | 'search' | 'hash'>
type RedirectRule = Config['redirects'][number]

/** A redirect: a path of the app or, with `external`, the URL of another site. */
export interface RedirectTarget {
  to: string
  external?: boolean
}

/** What the guards need to know of the session. */
export interface Visitor {
  /** Both tokens are present. */
  signed_in: boolean
  has_organisation: boolean
  /** The visitor owns the active organisation. */
  is_owner: boolean
}

/** The visitor of a session; `null` is a signed-out visitor. */
export function visitorOf(
  session: { user: object; active_organisation: object | null } | null,
): Visitor {
  const organisation = session?.active_organisation as Organisation | null | undefined
  return {
    signed_in: session !== null,
    has_organisation: organisation != null,
    is_owner: organisation != null && isOwner(session?.user as User, organisation),
  }
}

/** Whether the router takes the path for one of the pages, however it is written. */
const isAt = (path: string, ...pages: string[]) =>
  pages.some((page) => matchRoutes([{ path: page }], path))

/** The page of a record has any text as its id, and needs a user and an organisation. */
const includesAny = (path: string, ...parts: string[]) =>
  !isAt(path, '/success-plans/*', '/accounts/*') && parts.some((part) => path.includes(part))

const localPart = ({ pathname, search, hash }: GuardedUrl) => pathname + search + hash

/** `source` is how the app was opened, and leads nowhere. */
const withReturnPath = (to: string, url: GuardedUrl) => {
  const path = localPart(url)
  return /^\/(\?source=[^&#]*)?$/.test(path) ? to : `${to}?redirect=${encodeURIComponent(path)}`
}

/** Guard 1: a visitor without an access token goes to the auth page. */
function requireSignIn(url: GuardedUrl, visitor: Visitor) {
  if (visitor.signed_in || includesAny(url.pathname, 'auth', 'onboarding')) return undefined
  return withReturnPath('/auth', url)
}

/** Guard 2: a visitor without an active organisation goes to the organisations page. */
function requireOrganisation(url: GuardedUrl, visitor: Visitor) {
  if (visitor.has_organisation || includesAny(url.pathname, 'auth', 'onboarding', 'organisations'))
    return undefined
  return withReturnPath('/organisations', url)
}

/** For routes marked as owner only: other members go to the settings that everyone may see. */
function requireOwner({ pathname }: GuardedUrl, visitor: Visitor) {
  if (visitor.is_owner) return undefined
  return isAt(pathname, '/settings/organisation/billing', '/settings/organisation/plans')
    ? '/settings/organisation/general'
    : undefined
}

const withoutSlash = (path: string) => path.replace(/(^\/|[^/])\/+$/, '$1')

/** Guard 3: a redirect rule of the server. Leaves the site only if the rule says so. */
function redirectByRule(
  url: GuardedUrl,
  rules: readonly RedirectRule[],
): RedirectTarget | undefined {
  const path = withoutSlash(url.pathname)
  const rule = rules.find(({ from }) => {
    const page = from && pageAt(from, url.origin, false)
    return page && withoutSlash(localPart(page)) === path
  })
  const page = rule && pageAt(rule.to, url.href, rule.external)
  if (!page) return undefined
  if (page.origin !== url.origin) return { to: page.href, external: true }
  return page.pathname.startsWith('//') ? undefined : { to: localPart(page) }
}

/** The redirect of the first guard that applies. */
function firstRedirect(
  url: GuardedUrl,
  visitor: Visitor,
  rules: readonly RedirectRule[],
): RedirectTarget | undefined {
  const first = requireSignIn(url, visitor) ?? requireOrganisation(url, visitor)
  if (first !== undefined) return { to: first }
  const ruleTarget = redirectByRule(url, rules)
  if (ruleTarget) return ruleTarget
  const last = requireOwner(url, visitor)
  return last === undefined ? undefined : { to: last }
}

/**
 * Where a visitor of `url` is redirected, with `redirect` leading back; undefined if the visitor may
 * stay. Server rules that would form a loop, with each other or with the other guards, are ignored.
 */
export function guard(
  url: GuardedUrl,
  visitor: Visitor,
  rules: readonly RedirectRule[] = [],
): RedirectTarget | undefined {
  const first = firstRedirect(url, visitor, rules)
  const visited = new Set([url.pathname])
  for (let next = first; next && !next.external;) {
    const at = new URL(next.to, url.href)
    if (visited.has(at.pathname)) return firstRedirect(url, visitor, [])
    visited.add(at.pathname)
    next = firstRedirect(at, visitor, rules)
  }
  return first
}
