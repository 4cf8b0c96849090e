// The one way out of the app. Everything else that leads elsewhere is a link that somebody follows.

/**
 * Where `address` leads from the page `here`: to a page of the same site, or, only when that is meant
 * explicitly, to one of another (specification, section 2). Undefined for what is refused; whatever
 * could run here (`javascript:`, `data:`) is no page.
 */
export function pageAt(address: string, here: string, external: boolean): URL | undefined {
  const page = URL.parse(address, here)
  if (!page || !/^https?:$/.test(page.protocol)) return undefined
  return external || page.origin === new URL(here).origin ? page : undefined
}

interface LoadOptions {
  /** Another site is meant. */
  external?: boolean
  /** Going back does not lead here. */
  replace?: boolean
}

/** Leaves for that page, by a full load; false when that is refused, see `pageAt`. */
export function loadPage(address: string, { external = false, replace = false }: LoadOptions = {}) {
  const page = pageAt(address, location.href, external)
  if (!page) return false
  if (replace) location.replace(page)
  else location.assign(page)
  return true
}
