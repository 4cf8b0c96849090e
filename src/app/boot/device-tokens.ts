// What proves at a sign-in that this device was signed in before: one token for each of its users. The server then
// does not lock it out for the wrong passwords of others. They give no access, so they stay after a sign-out.
const KEY = 'device_tokens'
/** The server looks at no more than these. */
const MAX_TOKENS = 5

/** The stored tokens, separated by blanks as the server expects them; empty without any. */
export const deviceTokens = (): string => localStorage.getItem(KEY) ?? ''

/** Stores a token; the oldest one is dropped. */
export function rememberDevice(token: string): void {
  const tokens = [token, ...deviceTokens().split(' ')].filter(Boolean).slice(0, MAX_TOKENS)
  try {
    localStorage.setItem(KEY, tokens.join(' '))
  } catch {
    // The device is full: it signs in like an unknown one.
  }
}
