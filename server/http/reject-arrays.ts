// valibot accepts an array where a schema asks for an object: all optional fields are missing, and that passes.
// This finds such arrays, so that they can be rejected.
import type * as v from 'valibot'

/** The inner structure of a valibot schema: an object, a list, a wrapper or a union. */
interface SchemaShape {
  options?: SchemaShape[]
  entries?: Record<string, SchemaShape>
  item?: SchemaShape
  wrapped?: SchemaShape
}

/** Dotted paths in `input` of arrays where `schema` asks for an object; '' for the input itself. */
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
      for (const [index, element] of value.entries())
        yield* findArrays(item, element, [...path, String(index)])
  } else if (entries && typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(entries))
      yield* findArrays(inner, (value as Record<string, unknown>)[name], [...path, name])
}
