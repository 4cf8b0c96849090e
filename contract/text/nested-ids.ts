// Records that some servers answer in place of ids.
import { isObject } from './json.ts'

const IDS = /_id$|^created_by$/

/** The ids of the records in a record, by the fields that they stand for: `account_id`, also of one in `account`. */
export const nestedIds = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const field = IDS.test(name) ? name : `${name}_id`
      const isNested = isObject(value) && 'id' in value && (field === name || !(field in record))
      return isNested ? [[field, value.id]] : []
    }),
  )
