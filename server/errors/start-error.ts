/** The server cannot start. The message is one line for the operator, printed without a stack trace. */
export class StartError extends Error {
  override name = 'StartError'
}
