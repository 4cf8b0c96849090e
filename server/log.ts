// What the server says about itself: one line of JSON for each event. Never a body, a query string, a
// header or an address of mail: a log is read by more people than the data.
type Fields = Record<string, string | number | boolean | null | undefined>

/** Writes one line: events to the standard output, what somebody has to look at to the standard error. */
export function log(level: 'info' | 'error', event: string, fields: Fields = {}): void {
  const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })
  if (level === 'error') console.error(line)
  else console.log(line)
}

/**
 * An error as fields. Of an error of the database the words are left out, because they repeat the values
 * that were refused; its code and where it came from remain.
 */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    error: error.name,
    code,
    words: code === undefined ? error.message : undefined,
    at: frames?.map((line) => line.trim()).join(' < '),
  }
}
