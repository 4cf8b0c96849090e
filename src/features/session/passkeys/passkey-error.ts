/** A ceremony with an authenticator failed. The message is for the user. */
export class PasskeyError extends Error {
  override name = 'PasskeyError'
}
