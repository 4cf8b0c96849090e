import { lazy, useState, type ComponentType } from 'react'

/** A piece of the app in a file of its own. */
export interface Part {
  /** Draws it, once its file is there. */
  Part: ComponentType
  /** Fetches its file. Rejects where that cannot be had. */
  fetch: () => Promise<unknown>
}

/**
 * Makes a component of what `load` brings. What was fetched before is drawn at once: a `lazy` alone
 * would suspend all the same, and React shows nothing for 300 ms when it did so at the very start.
 */
export function part(load: () => Promise<{ Component: ComponentType }>): Part {
  let there: ComponentType | undefined
  const fetch = async () => {
    const { Component } = await load()
    there = Component
    return { default: Component }
  }
  const Later = lazy(fetch)
  function Part() {
    const [Shown] = useState(() => there ?? Later)
    return <Shown />
  }
  return { Part, fetch }
}

/** Each browser says in its own words that a file could not be fetched. */
const MISSING = /dynamically imported module|importing a module script|error loading|preload/i

/** Whether it broke because a part of the app could not be fetched. */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error && MISSING.test(error.message)
