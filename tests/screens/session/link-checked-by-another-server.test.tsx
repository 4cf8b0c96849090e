// @vitest-environment jsdom
// An e-mailed link is checked without the tokens that there are, or a refusal of these is taken for one of the link.
// An answer of 2xx without its address was called an unreachable server, and no password could be set.
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { engineTable } from '../../../contract/engine-table.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { LinkFacts } from '../../../src/features/session/link-facts.tsx'
import { NewPassword } from '../../../src/features/session/new-password.tsx'
import { AcceptInvite } from '../../../src/features/session/registration/accept-invite.tsx'
import { accountMessages } from '../../../src/features/session/registration/account-messages.ts'
import { registrationMessages } from '../../../src/features/session/registration/registration-messages.ts'
import { dismissToasts, Toaster } from '../../../src/ui/overlay/toast.tsx'
import { openPlainPage } from '../fixtures/plain-page.ts'

const HEADERS = { 'content-type': 'application/json' }
const FACTS = { type: 'password', email: 'ana@plain.test', organisation: null }

afterEach(cleanup)

/** A page whose server answers the check with that status, and what was asked. */
async function openLink(status: number, body?: object, shown?: React.ReactNode) {
  const { client, engine, stage } = await openPlainPage()
  stage.network = (request) =>
    request.url.endsWith('verify-token')
      ? { status, headers: HEADERS, text: body ? JSON.stringify(body) : '' }
      : stage.answer(request)
  render(
    shown ?? (
      <LinkFacts kind="password" token="token">
        {(facts) => <p>{facts ? 'valid' : 'over'}</p>}
      </LinkFacts>
    ),
    { wrapper: MemoryRouter },
  )
  const checks = () => stage.requests.filter(({ url }) => url.endsWith('verify-token'))
  return { checks, client, engine, stage }
}

test('a link is checked with the tokens and the organisation of the signed-in user', async () => {
  const { checks, client } = await openLink(200, { data: FACTS })
  await screen.findByText('valid')
  const session = client.session.current()
  expect(checks()[0]?.headers).toMatchObject({
    Authorization: `Bearer ${session?.access_token}`,
    'X-organisation': session?.active_organisation?.id,
  })
})

test.for([404, 410, 422])(
  'after an answer %i the link counts as no longer valid',
  async (status) => {
    await openLink(status, { message: 'This link is not valid.' })
    await screen.findByText('over')
  },
)

test.for([400, 403, 405, 500])(
  'after an answer %i the link could not be checked',
  async (status) => {
    await openLink(status, { message: 'No.' })
    await screen.findByText(accountMessages.unreachableTitle)
  },
)

test.for([
  [204, undefined],
  [200, { valid: true }],
] as const)(
  'an answer %i without an address opens the form, which then tries no sign-in',
  async ([status, body]) => {
    const { client } = await openLink(status, body, <NewPassword token="token" />)
    act(() => client.connection.set('online'))
    const signIn = vi.spyOn(client, 'signIn')
    const { newPassword, fields, newTitle, newLead, set, passwordSet } = accountMessages
    await screen.findByRole('heading', { name: newTitle })
    expect(screen.getByText(newLead('')).textContent).toMatch(/^All devices/)
    vi.spyOn(client, 'call').mockResolvedValue(undefined)
    render(<Toaster />)
    for (const label of [newPassword, fields.password_confirmation]) {
      // oxlint-disable-next-line no-await-in-loop -- as a user does
      await userEvent.type(await screen.findByLabelText(label), 'a plain password')
    }
    await userEvent.click(screen.getByRole('button', { name: set }))
    await screen.findByText(passwordSet)
    expect(signIn).not.toHaveBeenCalled()
    act(() => dismissToasts(passwordSet))
  },
)

test('an invitation without an address is offered to the user who is signed in', async () => {
  const user = { name: 'Ana', email: 'ana@plain.test' } as User
  const facts = { type: 'invite', email: '', organisation: null }
  render(<AcceptInvite user={user} token="token" facts={facts} />, { wrapper: MemoryRouter })
  await screen.findByRole('button', { name: registrationMessages.accept('') })
})

test('registrations, sign-ins and checks without a user are sent without tokens', async () => {
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
