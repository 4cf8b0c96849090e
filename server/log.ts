// The log: one line of JSON for each event. It never holds a body, a query string, a header or an e-mail
// address, because more people read logs than may read the data.
type Fields = Record<string, string | number | boolean | null | undefined>

/** On a terminal the lines of requests would push the address of the server off the screen. */
const WRITES_INFO = !process.stdout.isTTY || process.env.LOG === 'json'

/**
 * Writes one line: `info` to standard output, unless that is a terminal without `LOG=json`; `error` to
 * standard error.
 */
export function log(level: 'info' | 'error', event: string, fields: Fields = {}): void {
  if (level === 'info' && !WRITES_INFO) return
  const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })
  if (level === 'error') console.error(line)
  else console.log(line)
}

/**
 * An error as log fields: name, code, message, stack. The message of an error with a code is left out:
 * PostgreSQL repeats the rejected values in it.
 */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    error: error.name,
    code,
    message: code === undefined ? error.message : undefined,
    stack: frames?.map((line) => line.trim()).join(' < '),
  }
}
