// @vitest-environment jsdom
// An e-mailed link is checked without the tokens that there are, or a refusal of these is taken for one of the link.
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { engineTable } from '../../../contract/engine-table.ts'
import { LinkFacts } from '../../../src/features/session/link-facts.tsx'
import { accountMessages } from '../../../src/features/session/registration/account-messages.ts'
import { openPlainPage } from '../fixtures/plain-page.ts'

const HEADERS = { 'content-type': 'application/json' }
const FACTS = { type: 'password', email: 'ana@plain.test', organisation: null }

afterEach(cleanup)

/** A page whose server answers the check with that status, and what was asked. */
async function openLink(status: number, body: object) {
  const { client, engine, stage } = await openPlainPage()
  stage.network = (request) =>
    request.url.endsWith('verify-token')
      ? { status, headers: HEADERS, text: JSON.stringify(body) }
      : stage.answer(request)
  render(
    <LinkFacts kind="password" token="token">
      {(facts) => <p>{facts ? 'valid' : 'over'}</p>}
    </LinkFacts>,
  )
  const checks = () => stage.requests.filter(({ url }) => url.endsWith('verify-token'))
  return { checks, client, engine, stage }
}

test('it is checked with the tokens and the organisation of the user who is signed in', async () => {
  const { checks, client } = await openLink(200, { data: FACTS })
  await screen.findByText('valid')
  const session = client.session.current()
  expect(checks()[0]?.headers).toMatchObject({
    Authorization: `Bearer ${session?.access_token}`,
    'X-organisation': session?.active_organisation?.id,
  })
})

test.for([404, 410, 422])('%i says that it is no longer valid', async (status) => {
  await openLink(status, { message: 'This link is not valid.' })
  await screen.findByText('over')
})

test.for([400, 403, 405, 500])('%i says nothing about it', async (status) => {
  await openLink(status, { message: 'No.' })
  await screen.findByText(accountMessages.unreachableTitle)
})

test('registrations and sign-ins are sent without them, and so is the check without a user', async () => {
  const { engine, stage } = await openLink(200, { data: FACTS })
  await screen.findByText('valid')
  const caller = engine.session.caller()
  const { issueToken, register, verifyToken } = engineTable.calls
  for (const options of [
    { call: issueToken, caller },
    { call: register, caller },
    { call: verifyToken },
  ]) {
    await engine.http.call(options.call, { body: {} }, options)
    const { url, headers } = stage.requests.at(-1) ?? {}
    expect(url).toBe(options.call.path)
    expect(headers).not.toHaveProperty('Authorization')
  }
})
