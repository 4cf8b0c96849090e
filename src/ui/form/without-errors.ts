import type { Validated } from '../../../contract/errors.ts'

/** What was checked, without the errors of those paths. */
export function withoutErrors<Value>(
  checked: Validated<Value>,
  isLeftOut: (path: string) => boolean,
): Validated<Value> {
  if (checked.ok || checked.value === undefined) return checked
  const { value } = checked
  const errors = Object.entries(checked.errors).filter(([path]) => !isLeftOut(path))
  return errors.length > 0
    ? { ok: false, errors: Object.fromEntries(errors), value }
    : { ok: true, value }
}
