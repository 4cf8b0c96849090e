import { lazy, useState, type ComponentType } from 'react'

/** A piece of the app in a file of its own. */
export interface LazyScreen {
  /** Draws it, once its file is there. */
  Screen: ComponentType
  /** Fetches its file. Rejects where that cannot be had. */
  fetch: () => Promise<unknown>
}

/**
 * Makes a component of what `load` brings. What was fetched before is drawn at once: a `lazy` alone
 * would suspend all the same, and React shows nothing for 300 ms when it did so at the very start.
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
    const [Shown] = useState(() => loaded ?? Lazy)
    return <Shown />
  }
  return { Screen, fetch }
}

/** Each browser says in its own words that a file could not be fetched. */
const MISSING_CHUNK = /dynamically imported module|importing a module script|error loading|preload/i

/** Whether it broke because a part of the app could not be fetched. */
export const isMissingChunk = (error: unknown): boolean =>
  error instanceof Error && MISSING_CHUNK.test(error.message)
