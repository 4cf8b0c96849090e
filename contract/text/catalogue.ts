/**
 * A catalogue of user-facing texts: strings, functions that return a string, and groups of both.
 * Every catalogue ends in `as const satisfies Messages`.
 */
export interface Messages {
  readonly [key: string]: Message
}

type Message = string | ((...values: never[]) => string) | Messages | readonly Message[]
