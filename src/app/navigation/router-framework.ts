// Takes the place of the part of react-router that only its framework mode uses, in a build:
// prefetching of pages and their data. `vite.config.ts` exchanges them.
import { createContext, type Ref } from 'react'

/** No framework is there. */
export const FrameworkContext = createContext(undefined)
export const PrefetchPageLinks = () => null
/** Without a framework no link is prefetched. */
export const usePrefetchBehavior = () => [false, null, {}] as const
/** The first one: `usePrefetchBehavior` has no ref of its own. */
export const mergeRefs = (ref: Ref<unknown>) => ref
