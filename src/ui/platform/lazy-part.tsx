import { lazy, useState, type ComponentType } from 'react'

/** A component in a chunk of its own. */
export interface LazyPart<P> {
  /** Renders the component once its chunk is loaded; suspends until then. */
  Part: ComponentType<P>
  /** Loads the chunk. Rejects if it cannot be loaded. */
  fetch: () => Promise<unknown>
}

/**
 * A component that the app can do without, from a dynamic import: if that fails, as behind an ad blocker, `without` is
 * in its place.
 */
export const optionalPart = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  without: ComponentType<P> = () => null,
) => lazy(async () => ({ default: await load().catch(() => without) }))

/**
 * Makes a component from a dynamic import. A chunk that is already loaded renders at once: `lazy` alone
 * would still suspend, and React then shows nothing for 300 ms at start-up.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let loaded: ComponentType<P> | undefined
  const fetch = async () => {
    loaded = await load()
    return { default: loaded }
  }
  const Lazy = lazy(fetch) as unknown as ComponentType<P>
  function Part(props: P) {
    const [Content] = useState(() => loaded ?? Lazy)
    return <Content {...props} />
  }
  return { Part, fetch }
}
