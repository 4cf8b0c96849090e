// @vitest-environment jsdom
// Another server does what a call asks for, and answers it with 2xx and not with the record.
import { expect, test } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import { upgrade } from '../../../src/data/billing.ts'
import { invite } from '../../../src/data/members.ts'
import { ignoreTaken, CallError } from '../../../src/sync/client.ts'
import { editingMessages } from '../../../src/widgets/editing/messages.ts'
import { errorMessage } from '../../../src/widgets/editing/error-message.ts'
import { offline } from '../../sync/engine-fixture.ts'
import { openPlainPage } from '../fixtures/plain-page.ts'

/** A page whose server answers each POST with that, after Ana has signed in. */
async function pageWhere(status: number, text: string) {
  const page = await openPlainPage()
  const { stage } = page
  stage.network = (request) =>
    request.method === 'POST'
      ? { status, headers: { 'content-type': 'application/json' }, text }
      : stage.answer(request)
  return page
}

const NOT_AS_AGREED = [
  [204, ''],
  [200, ''],
  [200, '{"message":"ok"}'],
] as const
const organisation = { body: { id: crypto.randomUUID(), name: 'Third', timezone: 'UTC' } }

test.for(NOT_AS_AGREED)(
  'after %i with “%s” the screen asks to check first, and does not say that nothing happened',
  async ([status, text]) => {
    const { client, stage } = await pageWhere(status, text)
    const problem: unknown = await client
      .call(endpoints.createOrganisation, organisation)
      .catch((error: unknown) => error)
    expect(errorMessage(problem, 'Nothing was created.')).toBe(editingMessages.taken)
    stage.network = offline
    const lost: unknown = await client
      .call(endpoints.createOrganisation, organisation)
      .catch((error: unknown) => error)
    expect(errorMessage(lost, 'Nothing was created.')).toBe('Nothing was created.')
    expect(() => ignoreTaken(lost)).toThrow(CallError)
  },
)

test.for(NOT_AS_AGREED)(
  'with %i and “%s” an invitation counts as sent, and what holds of a subscription is read again',
  async ([status, text]) => {
    const { stage } = await pageWhere(status, text)
    await invite({ email: 'cem@plain.test', role: 'member' })
    const posts = () =>
      stage.requests.filter(({ method, url }) => method === 'POST' && /invites/.test(url))
    expect(posts()).toHaveLength(1)
    const reads = () => stage.plain.seen('GET', /organisations\/[^/]+$/).length
    const before = reads()
    await expect(upgrade()).rejects.toMatchObject({ isTaken: true })
    expect(reads()).toBe(before + 1)
  },
)
