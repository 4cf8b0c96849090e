// What the offline engine knows of a call that may wait: types alone, shared by the table that
// declares them and the engine that runs them.

/** The input of a call as it is stored: plain data that another build may send days later. */
export interface CallInput {
  path?: Record<string, string> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

/** What the outbox must know of a queueable call. Each member is a pure function of the input. */
export interface OfflinePolicy<Input = CallInput> {
  /** Operations of one lane are sent one after the other. */
  lane: (input: Input) => string
  /** The id of the record that the call creates, if it creates one. */
  creates?: (input: Input) => string | undefined
  /** Ids that must exist on the server first. */
  references?: (input: Input) => (string | null | undefined)[]
  /** Whether a validated answer is about this input: only then it counts as an acknowledgement. */
  matches: (input: Input, record: Record<string, unknown>) => boolean
  /**
   * Whether the server has that record with other content: an earlier version of a create that was
   * edited, for example. The content of this input would be lost, so the user has to look.
   */
  contentDiffers?: (input: Input, record: Record<string, unknown>) => boolean
  /** The record that the call changes, and what it sets in it; undefined when it only adds. */
  edits?: (input: Input) => { id: string; fields: Record<string, unknown> } | undefined
  /** The input without those fields; undefined when nothing is left to send. */
  omitFields?: (input: Input, fields: readonly string[]) => Input | undefined
  /** Those fields alone, as a call that creates a record of that id; undefined when they belong together. */
  splitFields?: (input: Input, fields: readonly string[], id: string) => Input | undefined
  /** The version of the changed or created record after that answer. */
  version?: (record: Record<string, unknown>) => number | undefined
}
