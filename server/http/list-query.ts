// What lists share: substring search that means its characters, and a stable order.
import { sql, type RawBuilder } from 'kysely'

/** Whether a text column holds `part`, in any case and language; `%`, `_` and `\` mean themselves. */
export const contains = (column: string, part: string): RawBuilder<boolean> => {
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`lower(${sql.ref(column)} collate "und-x-icu") like lower(${pattern}::text collate "und-x-icu") escape '\\'`
}

/** Columns that are never empty. To speak of the empty ones all the same would keep an index from being used. */
const NOT_NULL_COLUMNS = /(^|\.)(created_at|updated_at|name|title|status|progress|position)$/

/** `order by` for a sort such as `-updated_at`; text by the rules of languages, what is empty last. */
export function orderBy(sort: string, textColumns: readonly string[] = []): RawBuilder<unknown> {
  const isDescending = sort.startsWith('-')
  const column = sort.replace(/^-/, '')
  const collation = textColumns.includes(column) ? sql` collate "und-x-icu"` : sql``
  // Ascending, what is empty comes last by itself.
  const direction = isDescending ? sql`desc` : sql`asc`
  const nullsLast = isDescending && !NOT_NULL_COLUMNS.test(column) ? sql` nulls last` : sql``
  return sql`${sql.ref(column)}${collation} ${direction}${nullsLast}`
}
