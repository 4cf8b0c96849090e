// Types of queueable calls, shared by the endpoint table and the offline engine.

/** The stored input of a call: plain data that a later build may send days later. */
export interface CallInput {
  path?: Record<string, string> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

/** How a record that a call created is recognised among others, where its id is not known. */
interface CreatedRecord<Input = CallInput> {
  /** The collection that it is in. */
  collection: string
  /** Its fields that name its parents. */
  parents: (input: Input) => Record<string, unknown>
  /** Its fields with the words that its author wrote. */
  words: (input: Input) => Record<string, unknown>
  /** Its field with the id of its author. */
  author: string
}

/** How the outbox handles a queueable call. Every member is a pure function. */
export interface OfflinePolicy<Input = CallInput> {
  /** Operations of one lane are sent in order. */
  lane: (input: Input) => string
  /** The id of the record that the call creates, if it creates one. */
  creates?: (input: Input) => string | undefined
  /** Ids of records that must exist on the server before this call is sent. */
  references?: (input: Input) => (string | null | undefined)[]
  /** Whether a validated answer belongs to this input and so acknowledges it. */
  matches: (input: Input, record: Record<string, unknown>) => boolean
  /**
   * Whether the server stored other content, for example an earlier version of an edited create.
   * The operation is then not acknowledged, because the content of this input would be lost.
   */
  contentDiffers?: (input: Input, record: Record<string, unknown>) => boolean
  /** The id of the record that the call deletes. Its answer has no body, and 404 means the same. */
  deletes?: (input: Input) => string
  /** The fields of the deleted record that are compared: if others changed one, the author is asked. */
  compared?: (record: Record<string, unknown>) => Record<string, unknown>
  /** Collections whose records are deleted with it: the author is asked about those that `changed_by` names. */
  alsoDeletes?: readonly string[]
  /** Undefined when the call creates no record. */
  created?: CreatedRecord<Input>
  /**
   * The fields that the record has when the server kept everything that was asked for; `created_at`: when its author
   * asked, by the device's clock.
   */
  asked?: (input: Input, created_at: string) => Record<string, unknown>
  /** Those of them whose absence from an answer means that the server ignored them. */
  mustShow?: readonly string[]
  /** Those of them that a server may store in another form, such as the place in an order. */
  mayDiffer?: readonly string[]
  /** The call that sets fields of the record once it exists; undefined where there is none. */
  complete?: (
    input: Input,
    id: string,
    fields: readonly string[],
  ) => { endpoint: string; input: CallInput } | undefined
  /** The id and fields of the record that the call changes; undefined when it only appends. */
  edits?: (input: Input) => { id: string; fields: Record<string, unknown> } | undefined
  /** Whether the changed record leaves nothing of the call to send. */
  isDone?: (input: Input, record: Record<string, unknown>) => boolean
  /** Fields of that record that the server calculates from the call, for example from a new status. */
  implies?: (input: Input) => Record<string, unknown>
  /** The input without those fields; undefined if nothing is left to send. */
  omitFields?: (input: Input, fields: readonly string[]) => Input | undefined
  /** A call with those fields only, creating record `id`; undefined if they cannot be separated. */
  splitFields?: (input: Input, fields: readonly string[], id: string) => Input | undefined
  /** Another input that sets what its author has chosen over that record; undefined where the input does. */
  chosenOver?: (input: Input, theirs: Record<string, unknown>) => Input | undefined
  /**
   * For a server without the capability `effects`: the input without what it changes in another record,
   * undefined when nothing is left of it, and the call that makes that change. Undefined when it changes
   * none.
   */
  withoutEffects?: (
    input: Input,
  ) => { note: Input | undefined; endpoint: string; edit: CallInput } | undefined
  /** The version of the created or changed record, from the answer. */
  version?: (record: Record<string, unknown>) => number | undefined
}
