// valibot accepts an array where a schema asks for an object: all optional fields are missing, and that passes. And it
// validates every element of a list before it looks at the length: a megabyte of them is hundreds of thousands of
// issues. This finds such arrays first, so that they can be rejected.
import type * as v from 'valibot'

/** The inner structure of a valibot schema: an object, a list, a wrapper or a union, with the actions on it. */
interface SchemaShape {
  options?: SchemaShape[]
  entries?: Record<string, SchemaShape>
  item?: SchemaShape
  wrapped?: SchemaShape
  pipe?: { type?: string; requirement?: unknown; message?: unknown }[]
}

/** An array that is refused: its dotted path, '' for the input itself, and why. */
interface RefusedArray {
  path: string
  message: string
}

/** Arrays in `input` where `schema` asks for an object, and lists that are longer than it allows. */
export const findRefusedArrays = (schema: v.GenericSchema, input: unknown): RefusedArray[] => [
  ...findArrays(schema as SchemaShape, input, []),
]

/** The message about a list that is too long; undefined for one that is not. */
function tooLong({ pipe = [] }: SchemaShape, { length }: unknown[]): string | undefined {
  const limit = pipe.find(({ type }) => type === 'max_length')
  return limit && length > Number(limit.requirement) ? String(limit.message) : undefined
}

function* findArrays(shape: SchemaShape, value: unknown, path: string[]): Generator<RefusedArray> {
  const { entries, item, wrapped, options } = shape
  if (wrapped) yield* findArrays(wrapped, value, path)
  else if (options) {
    const found = options.map((option) => [...findArrays(option, value, path)])
    if (found.every((refused) => refused.length > 0)) yield* found[0] ?? []
  } else if (Array.isArray(value)) {
    const message = entries ? 'Send an object.' : tooLong(shape, value)
    if (message !== undefined) yield { path: path.join('.'), message }
    else if (item)
      for (const [index, element] of value.entries())
        yield* findArrays(item, element, [...path, String(index)])
  } else if (entries && typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(entries))
      yield* findArrays(inner, (value as Record<string, unknown>)[name], [...path, name])
}
