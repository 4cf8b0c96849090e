// Another server refuses a call without a sentence, and the user reads that it did not answer.
import { expect, test } from 'vitest'
import {
  beginningFailure,
  signInFailure,
} from '../../../src/features/session/social/sign-in-failure.ts'
import { socialMessages } from '../../../src/features/session/social/messages.ts'
import { sessionMessages } from '../../../src/features/session/messages.ts'
import { CallError } from '../../../src/sync/client.ts'
import { editingMessages } from '../../../src/widgets/editing/messages.ts'
import { errorMessage } from '../../../src/widgets/editing/error-message.ts'

const { busy, denied, gone, refused } = editingMessages

test.for([
  ['refused', 401, denied],
  ['refused', 403, denied],
  ['refused', 404, gone],
  ['refused', 410, gone],
  ['refused', 405, gone],
  ['refused', 501, gone],
  ['refused', 409, refused(409)],
  ['refused', 422, refused(422)],
  ['busy', 429, busy],
  ['busy', 503, busy],
  ['busy', 401, busy],
  ['signed-out', undefined, denied],
  ['unreachable', undefined, 'Nothing was deleted.'],
] as const)('a call that is %s, with %s, has its own message', ([kind, status, text]) => {
  const problem = new CallError(kind, status && { status, message: '' })
  expect(errorMessage(problem, 'Nothing was deleted.')).toBe(text)
  const withWords = new CallError(kind, { status: status ?? 0, message: 'Words.' })
  expect(errorMessage(withWords, 'Nothing was deleted.')).toBe('Words.')
})

const { failures } = socialMessages

test.for([
  ['refused', failures.failed],
  ['limited', sessionMessages.limited(90_000)],
  ['not-understood', sessionMessages['not-understood']],
  ['unreachable', failures.unreachable],
] as const)('a sign-in with a provider that is %s has its own message', ([reason, text]) => {
  expect(signInFailure({ reason, message: '', retryAfterMs: 90_000 })).toBe(text)
  expect(signInFailure({ reason, message: 'Words.' })).toBe('Words.')
})

test('the message for a provider’s page that cannot be requested depends on how the call failed', () => {
  const rejection = { status: 403, message: '' }
  expect(beginningFailure(new CallError('refused', rejection))).toBe(failures.failed)
  for (const problem of [new CallError('unreachable'), new Error('No chunk')])
    expect(beginningFailure(problem)).toBe(failures.unreachable)
  expect(beginningFailure(new CallError('refused', { ...rejection, message: 'Words.' }))).toBe(
    'Words.',
  )
})
