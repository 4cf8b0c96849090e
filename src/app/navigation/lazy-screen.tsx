import { lazy, useState, type ComponentType } from 'react'

/** A screen in a chunk of its own. */
export interface LazyScreen {
  /** Renders the screen once its chunk is loaded; suspends until then. */
  Screen: ComponentType
  /** Loads the chunk. Rejects if it cannot be loaded. */
  fetch: () => Promise<unknown>
}

/**
 * Makes a component from a dynamic import. A chunk that is already loaded renders at once: `lazy` alone
 * would still suspend, and React then shows nothing for 300 ms at start-up.
 */
export function lazyScreen(load: () => Promise<{ Component: ComponentType }>): LazyScreen {
  let loaded: ComponentType | undefined
  const fetch = async () => {
    const { Component } = await load()
    loaded = Component
    return { default: Component }
  }
  const Lazy = lazy(fetch)
  function Screen() {
    const [Content] = useState(() => loaded ?? Lazy)
    return <Content />
  }
  return { Screen, fetch }
}

/** Browsers word a failed import differently. */
const MISSING_CHUNK = /dynamically imported module|importing a module script|error loading|preload/i

/** Whether the error means that a chunk could not be loaded. */
export const isMissingChunk = (error: unknown): boolean =>
  error instanceof Error && MISSING_CHUNK.test(error.message)
