// The form in which two values of a field are compared.
import { normalised, withoutEntryIds } from '../arrival/content.ts'

/**
 * Canonical JSON for comparison: the server trims texts and omits empty fields. `leaf` replaces each value
 * that is neither object nor array.
 */
export function canonical(value: unknown, leaf = trimmed): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, leaf)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(leaf(value) ?? null)
  const entries = Object.entries(value).filter(([, inner]) => (inner ?? null) !== null)
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner, leaf)}`)
    .join()}}`
}

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value)

/** The same of what a reader would call equal, see `isSameValue`, whatever ids entries of lists have. */
export const normalisedForm = (value: unknown): string =>
  canonical(withoutEntryIds(value), normalised)
