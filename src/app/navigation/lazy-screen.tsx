import type { ComponentType } from 'react'
import { lazyPart, type LazyPart } from '../../ui/platform/lazy-part.tsx'

/** A screen in a chunk of its own. */
export const lazyScreen = (load: () => Promise<{ Component: ComponentType }>): LazyPart<object> =>
  lazyPart(async () => (await load()).Component)

/** Browsers word a failed import differently. */
const MISSING_CHUNK = /dynamically imported module|importing a module script|error loading|preload/i

/** Whether the error means that a chunk could not be loaded. */
export const isMissingChunk = (error: unknown): boolean =>
  error instanceof Error && MISSING_CHUNK.test(error.message)
