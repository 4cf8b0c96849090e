// What a 422 says of a value where its schema has no words of its own. The library's are for developers.
import { validationMessages as messages } from '../../contract/text/messages.ts'
import type * as v from 'valibot'

const WORDS: Record<string, string> = {
  array: 'Send a list.',
  boolean: messages.yesOrNo,
  integer: messages.wholeNumber,
  loose_object: 'Send an object.',
  number: messages.number,
  object: 'Send an object.',
  record: 'Send an object.',
  strict_object: 'Send an object.',
  string: messages.text,
}

/** The message for an issue, in the words of the other messages. */
export function defaultMessage(issue: v.BaseIssue<unknown>): string {
  const { expected, received, type } = issue
  if (received === 'undefined') return messages.required
  const limit = Number(issue.requirement)
  if (type === 'min_value') return messages.atLeast(limit)
  if (type === 'max_value') return messages.atMost(limit)
  if (type === 'max_length') return messages.maxCharacters(limit)
  if (type === 'min_length') return `Use at least ${limit} characters.`
  const values = [...(expected ?? '').matchAll(/"([^"]*)"/g)].map(([, value = '']) => value)
  if (values.length > 0) return messages.oneOf(values)
  const [kind = ''] = /number|Object/.exec(expected ?? '') ?? []
  return WORDS[type] ?? WORDS[kind.toLowerCase()] ?? 'This is not valid.'
}
