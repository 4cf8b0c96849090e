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
