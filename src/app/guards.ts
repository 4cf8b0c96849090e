// The navigation guards (specification, section 2), in order. Pure: who is asking is handed in, so
// that no navigation ever waits for the network.

export interface Visitor {
  /** Both tokens are present. */
  signed_in: boolean
  has_organisation: boolean
}

const mentions = (path: string, ...words: string[]) => words.some((word) => path.includes(word))

const leadingBack = (to: string, { pathname, search }: Pick<URL, 'pathname' | 'search'>) =>
  pathname === '/' ? to : `${to}?redirect=${encodeURIComponent(pathname + search)}`

/** Guard 1: a visitor with no access token goes to the auth page. */
function requireSignIn(url: Pick<URL, 'pathname' | 'search'>, visitor: Visitor) {
  if (visitor.signed_in || mentions(url.pathname, 'auth', 'onboarding')) return undefined
  return leadingBack('/auth', url)
}

/** Guard 2: without an active organisation one goes to the organisations page. */
function requireOrganisation(url: Pick<URL, 'pathname' | 'search'>, visitor: Visitor) {
  if (visitor.has_organisation || mentions(url.pathname, 'auth', 'onboarding', 'organisations'))
    return undefined
  return leadingBack('/organisations', url)
}

/**
 * Where a visitor of `url` is sent instead, with the way back as `redirect`; undefined when the
 * visitor may stay.
 */
export const guard = (
  url: Pick<URL, 'pathname' | 'search'>,
  visitor: Visitor,
): string | undefined => requireSignIn(url, visitor) ?? requireOrganisation(url, visitor)
