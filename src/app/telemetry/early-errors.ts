// What broke before anybody could be told of it. It stands at the very start, so it is small.
type ErrorHandler = (error: unknown) => void

const MAX_EARLY_ERRORS = 10
const earlyErrors: unknown[] = []
let handleError: ErrorHandler = (error) =>
  void (earlyErrors.length < MAX_EARLY_ERRORS && earlyErrors.push(error))

/** Tells of an error that nobody else would hear of. */
export const captureError = (error: unknown): void => handleError(error)

/** Hears of all errors from now on, and of those that came before. */
export function setErrorHandler(next: ErrorHandler): void {
  handleError = next
  earlyErrors.splice(0).forEach(next)
}

addEventListener('error', ({ error }) => captureError(error))
addEventListener('unhandledrejection', ({ reason }) => captureError(reason))
