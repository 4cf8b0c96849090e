// What the author of an edit saw of the fields that it leaves as they are: a server that does not say who has set
// which field may answer that the record has changed where only a count has.
import { fnv1a } from '../../../../contract/text/fnv.ts'
import { normalisedForm } from './canonical.ts'

type Fields = Record<string, unknown>

const digestOf = (value: unknown): number => fnv1a(normalisedForm(value))

/** The fields by digests, since texts are long. Stored with operations: it never changes. */
export const digestsOf = (fields: Fields): Record<string, number> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, digestOf(value)]))

/** The fields of the record that are not as they were seen; undefined where that is not known. */
export const differing = (seen: Record<string, number> | undefined, record: Fields) =>
  seen &&
  Object.keys(seen).filter((name) => name in record && digestOf(record[name]) !== seen[name])
