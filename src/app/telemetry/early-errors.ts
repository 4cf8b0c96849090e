// What broke before anybody could be told of it. It stands at the very start, so it is small.
type Hear = (error: unknown) => void

const MOST = 10
const early: unknown[] = []
let hear: Hear = (error) => void (early.length < MOST && early.push(error))

/** Tells of an error that nobody else would hear of. */
export const tellError = (error: unknown): void => hear(error)

/** Hears of all errors from now on, and of those that came before. */
export function hearErrors(next: Hear): void {
  hear = next
  early.splice(0).forEach(next)
}

addEventListener('error', ({ error }) => tellError(error))
addEventListener('unhandledrejection', ({ reason }) => tellError(reason))
