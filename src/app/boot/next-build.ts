// The next build of the app: it waits until the user accepts it.
import { useSyncExternalStore } from 'react'
import { Observable } from '../../sync/core/observable.ts'

/** None, waiting for the user's consent, or accepted and waiting for the old worker. */
export const nextBuild = new Observable<'none' | 'ready' | 'accepted'>('none')
let applyUpdate: () => void = () => undefined

/** Offers the next build; `apply` activates it. */
export function offerNextBuild(apply: () => void): void {
  applyUpdate = apply
  nextBuild.set('ready')
}

/**
 * The next build, and `accept`, which activates it and reloads as soon as it is in control. Drafts and
 * the queue are unaffected.
 */
export const useNewVersion = () => ({
  next: useSyncExternalStore(nextBuild.subscribe, nextBuild.get),
  accept: () => {
    nextBuild.set('accepted')
    applyUpdate()
  },
})
