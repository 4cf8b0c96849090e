// The records of an answer as the server wrote them.
import { recordsIn } from '../contract/endpoint.ts'
import { isObject } from '../contract/text/json.ts'
import type { UnreadValue } from '../contract/schemas/read-records.ts'
import { describe } from './report.ts'

export type Json = Record<string, unknown>

/** The id as the server wrote it; null where it is neither text nor a number. */
export function idOf({ id }: Json): string | number | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/** The records of a list, in each form that the app reads. */
export function recordsOf(json: unknown): Json[] {
  const records = recordsIn(json)
  return Array.isArray(records) ? records.filter(isObject) : []
}

/** The record of an answer, with or without `data`; empty where there is none. */
export function recordOf(json: unknown): Json {
  const { data, ...bare } = isObject(json) ? json : {}
  return isObject(data) ? data : bare
}

/** The value in an answer that could not be read, for a finding. */
export function valueOf(json: unknown, { id, path, type }: UnreadValue): string {
  const records = recordsOf(json)
  const record = records.find((one) => String(idOf(one)) === id) ?? recordOf(json)
  let value: unknown = record
  for (const name of path.split('.')) value = (value as Json | undefined)?.[name]
  return value === undefined && type !== 'undefined' ? type : describe(value)
}

/** Integers that JavaScript cannot hold become strings of their digits, as in the app. */
const keepDigits = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source : value

/** The parsed text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, keepDigits)
  } catch {
    return undefined
  }
}
