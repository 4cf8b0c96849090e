/**
 * A catalogue of the texts that users read: each is a text, or a function of named values that returns
 * one, and they may be grouped. All catalogues end in `as const satisfies Messages`.
 */
export interface Messages {
  readonly [key: string]: Message
}

type Message = string | ((...values: never[]) => string) | Messages | readonly Message[]
