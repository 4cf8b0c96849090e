// To valibot a list is an object: one without any field, and all that is optional passes. Here it is not.
import type * as v from 'valibot'

/** A schema as it lies in memory: of an object, of a list, around another one, or one of several. */
interface SchemaShape {
  options?: SchemaShape[]
  entries?: Record<string, SchemaShape>
  item?: SchemaShape
  wrapped?: SchemaShape
}

/** The fields, dotted, of `input` in which a list stands where `schema` asks for an object; '' for itself. */
export const findUnexpectedArrays = (schema: v.GenericSchema, input: unknown): string[] => [
  ...findArrays(schema as SchemaShape, input, []),
]

function* findArrays(shape: SchemaShape, value: unknown, path: string[]): Generator<string> {
  const { entries, item, wrapped, options } = shape
  if (wrapped) yield* findArrays(wrapped, value, path)
  else if (options) {
    const found = options.map((option) => [...findArrays(option, value, path)])
    if (found.every((fields) => fields.length > 0)) yield* found[0] ?? []
  } else if (Array.isArray(value)) {
    if (entries) yield path.join('.')
    if (item)
      for (const [index, one] of value.entries())
        yield* findArrays(item, one, [...path, String(index)])
  } else if (entries && typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(entries))
      yield* findArrays(inner, (value as Record<string, unknown>)[name], [...path, name])
}
