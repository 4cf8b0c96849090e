// The log: one line of JSON for each event. It never holds a body, a query string, a header or an e-mail
// address, because more people read logs than may read the data.
type Fields = Record<string, string | number | boolean | null | undefined>

const WRITES_LINES = !process.stdout.isTTY || process.env.LOG === 'json'

/** One line of JSON. */
const lineOf = (level: string, event: string, fields: Fields) =>
  JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })

/**
 * Writes one line: `info` to standard output, unless that is a terminal without `LOG=json`; `error` to
 * standard error.
 */
export function log(level: 'info' | 'error', event: string, fields: Fields = {}): void {
  // On a terminal the lines of requests would push the address of the server off the screen.
  if (level === 'info' && !WRITES_LINES) return
  const line = lineOf(level, event, fields)
  if (level === 'error') console.error(line)
  else console.log(line)
}

/**
 * Writes what the operator should know to standard error: a sentence on a terminal without `LOG=json`, elsewhere a
 * line that contains it.
 */
export function announce(level: 'info' | 'warning', event: string, message: string): void {
  console.error(WRITES_LINES ? lineOf(level, event, { message }) : message)
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
