import type { Validated } from '../../../contract/errors.ts'
import { withoutErrors } from '../../ui/form/without-errors.ts'
import type { Fields } from './use-editor.tsx'

/**
 * The names of the fields that a form edits: all that the request's schema has, except those that are
 * edited elsewhere. Pass the schema's `entries`.
 */
export const formFields = <Entries extends object, Other extends keyof Entries = never>(
  entries: Entries,
  ...others: readonly Other[]
): readonly Exclude<keyof Entries & string, Other>[] =>
  (Object.keys(entries) as (keyof Entries & string)[]).filter(
    (name): name is Exclude<keyof Entries & string, Other> =>
      !(others as readonly unknown[]).includes(name),
  )

/**
 * The check of an edit without what was wrong before, in fields that stay as they are. They are not sent, and other
 * servers have words of their own.
 */
export const ofChanges = <Value>(
  checked: Validated<Value>,
  before: Validated<Value>,
  changed: readonly string[],
): Validated<Value> =>
  withoutErrors(
    checked,
    (path) => !before.ok && path in before.errors && !changed.includes(path.split('.')[0] ?? ''),
  )

/** What can be chosen, with the present value first where it is none of it. */
export const withPresent = (choices: readonly string[], present: string): readonly string[] =>
  present === '' || choices.includes(present) ? choices : [present, ...choices]
/** The stored draft of a form: the changed fields, and the record's values they were typed over. */
export interface StoredDraft<Name extends string> {
  typed: Partial<Fields<Name>>
  seen?: Partial<Record<string, unknown>>
  /** Absent in drafts of earlier builds. */
  new_id?: string
}

/** The stored draft; undefined where there is none that can be read. */
export function readDraft<Name extends string>(
  text: string | null | undefined,
): StoredDraft<Name> | undefined {
  if (!text) return undefined
  try {
    const stored = JSON.parse(text) as Partial<StoredDraft<Name>>
    return stored.typed && { ...stored, typed: stored.typed }
  } catch {
    return undefined
  }
}

/** The drafts of two forms as one: over what the first of both was typed over. */
export function formInFront(late: string, typed: string): string {
  const [before, after] = [readDraft(late), readDraft(typed)]
  return JSON.stringify({
    ...after,
    ...before,
    typed: { ...before?.typed, ...after?.typed },
    seen: { ...after?.seen, ...before?.seen },
  })
}
