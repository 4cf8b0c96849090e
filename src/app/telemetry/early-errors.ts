// Collects errors until a reporter is loaded. Part of the entry chunk, so it is small.
type ErrorHandler = (error: unknown) => void

const MAX_EARLY_ERRORS = 10
const earlyErrors: unknown[] = []
let handleError: ErrorHandler = (error) =>
  void (earlyErrors.length < MAX_EARLY_ERRORS && earlyErrors.push(error))

/** Reports an error that no boundary or global handler would see. */
export const captureError = (error: unknown): void => handleError(error)

/** Sets the reporter for all further errors, and passes on those collected so far. */
export function setErrorHandler(next: ErrorHandler): void {
  handleError = next
  earlyErrors.splice(0).forEach(next)
}

addEventListener('error', ({ error }) => captureError(error))
addEventListener('unhandledrejection', ({ reason }) => captureError(reason))
