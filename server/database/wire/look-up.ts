// Look-ups: statements by ids and hashes alone, which can be sent together with those that begin a transaction.
import { sql, type Compilable, type RawBuilder } from 'kysely'
import { isUuid } from '../../../contract/schemas/fields.ts'
import { sha256 } from '../../hash.ts'
import { kyselyOn, type Tx } from '../connection.ts'

type Value = string | Uint8Array

/** A statement with its values, and what its rows mean. */
export interface LookUp<T> {
  /** How a session prepares it once, and executes it then; the name tells statements apart. */
  name: string
  prepare: string
  execute: string
  /** The same without preparation. */
  sql: string
  read: (rows: unknown[]) => T
}

/** An id or a hash, as it is written in a statement. Throws an Error for any other value. */
function literal(value: Value): string {
  if (typeof value !== 'string') return `decode('${Buffer.from(value).toString('hex')}', 'hex')`
  if (!isUuid(value)) throw new Error('Only ids and hashes can be part of a statement.')
  return `'${value}'::uuid`
}

/**
 * Builds a statement once, with places for values of these types. The function that is returned puts values in their
 * order.
 */
export function createLookUp<Row, T>(
  types: readonly ('uuid' | 'bytea')[],
  build: (tx: Tx, ...places: RawBuilder<never>[]) => Compilable<Row>,
  read: (row: Row | undefined) => T,
): (...values: Value[]) => LookUp<T> {
  const unconnected = kyselyOn(() => Promise.reject(new Error('This statement is only built.')))
  const places = types.map((_, index) => sql.raw<never>(`$${index + 1}`))
  const { sql: text } = build(unconnected, ...places).compile()
  // Another build may have another statement in the same session.
  const name = `cairn_${sha256(text).toString('hex', 0, 8)}`
  const prepare = `prepare ${name} (${types.join(', ')}) as ${text}`
  return (...values) => {
    const literals = values.map(literal)
    return {
      name,
      prepare,
      execute: `execute ${name} (${literals.join(', ')})`,
      sql: text.replaceAll(/\$(\d+)/g, (_, place) => literals[Number(place) - 1] ?? ''),
      read: ([row]) => read(row as Row | undefined),
    }
  }
}

/**
 * Locks the row of an organisation, in a statement of its own: after a wait PostgreSQL reads the locked row again, but
 * joined rows as they were before the wait, such as the role of a member who was demoted meanwhile.
 */
export const lockOf: (organisation_id: string) => LookUp<undefined> = createLookUp(
  ['uuid'],
  (tx, id) => tx.selectFrom('organisations').where('id', '=', id).forNoKeyUpdate(),
  () => undefined,
)
