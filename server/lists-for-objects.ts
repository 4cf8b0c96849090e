// To valibot a list is an object: one without any field, and all that is optional passes. Here it is not.
import type * as v from 'valibot'

/** A schema as it lies in memory: of an object, of a list, around another one, or one of several. */
interface Shape {
  options?: Shape[]
  entries?: Record<string, Shape>
  item?: Shape
  wrapped?: Shape
}

/** The fields, dotted, of `input` in which a list stands where `schema` asks for an object; '' for itself. */
export const listsForObjects = (schema: v.GenericSchema, input: unknown): string[] => [
  ...find(schema as Shape, input, []),
]

function* find(shape: Shape, value: unknown, path: string[]): Generator<string> {
  const { entries, item, wrapped, options } = shape
  if (wrapped) yield* find(wrapped, value, path)
  else if (options) {
    const found = options.map((option) => [...find(option, value, path)])
    if (found.every((fields) => fields.length > 0)) yield* found[0] ?? []
  } else if (Array.isArray(value)) {
    if (entries) yield path.join('.')
    if (item)
      for (const [index, one] of value.entries()) yield* find(item, one, [...path, String(index)])
  } else if (entries && typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(entries))
      yield* find(inner, (value as Record<string, unknown>)[name], [...path, name])
}
