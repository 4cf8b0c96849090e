// The only full-page navigation in code. All others are links that the user follows.

/**
 * Resolves `address` against the page `here`: a page of the same origin or, only with `external`, of
 * another site (specification, section 2). Undefined if rejected, which includes all other schemes such
 * as `javascript:` and `data:`.
 */
export function pageAt(address: string, currentUrl: string, external: boolean): URL | undefined {
  const page = URL.parse(address, currentUrl)
  if (!page || !/^https?:$/.test(page.protocol)) return undefined
  return external || page.origin === new URL(currentUrl).origin ? page : undefined
}

interface LoadOptions {
  /** Allows another site. */
  external?: boolean
  /** Replaces the history entry. */
  replace?: boolean
}

/** Navigates with a full page load; false if the address is rejected, see `pageAt`. */
export function loadPage(address: string, { external = false, replace = false }: LoadOptions = {}) {
  const page = pageAt(address, location.href, external)
  if (!page) return false
  if (replace) location.replace(page)
  else location.assign(page)
  return true
}

/** Calls `act` once going back shows this page again as it was left; any other way back loads it afresh. */
export function whenBack(act: () => void) {
  const back = new AbortController()
  const listener = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return
    back.abort()
    act()
  }
  addEventListener('pageshow', listener, { signal: back.signal })
}
