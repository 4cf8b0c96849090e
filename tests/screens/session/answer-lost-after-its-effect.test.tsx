// @vitest-environment jsdom
// Where the answer of the server was lost, the next attempt said that the link or the password is wrong, though the
// first one had done what was asked. A refusal for too many attempts is no lost answer.
import 'fake-indexeddb/auto'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { endpoints } from '../../../contract/endpoints.ts'
import type { User } from '../../../contract/schemas/people.ts'
import { Password } from '../../../src/features/profile/security/password.tsx'
import { securityMessages } from '../../../src/features/profile/security/security-messages.ts'
import { NewPassword } from '../../../src/features/session/new-password.tsx'
import { AcceptInvite } from '../../../src/features/session/registration/accept-invite.tsx'
import { accountMessages } from '../../../src/features/session/registration/account-messages.ts'
import { registrationMessages } from '../../../src/features/session/registration/registration-messages.ts'
import { CallError, createSync, sync } from '../../../src/sync/client.ts'
import { dismissToasts, Toaster } from '../../../src/ui/overlay/toast.tsx'

const USER = { id: 'ann', name: 'Ann', email: 'ann@north.test' } as User
const NORTH = { id: 'north', name: 'North' }
const PASSWORD = 'correct horse battery'
const OVER = new CallError('refused', { status: 404, message: 'This link is no longer valid.' })
const WRONG = new CallError('refused', {
  status: 422,
  message: '',
  errors: { current_password: ['This is not your password.'] },
})
const COMMON = new CallError('refused', {
  status: 422,
  message: '',
  errors: { password: ['This password is common.'] },
})
const LOST = new CallError('unreachable')
const LIMITED = new CallError('busy', { status: 429, message: 'Too many attempts.' })
const DOWN = new CallError('busy', { status: 503, message: '' })

beforeAll(() => createSync(() => Promise.reject(new Error('No engine.'))))
beforeEach(() => act(() => sync().connection.set('online')))
afterEach(() => {
  act(() => dismissToasts(accountMessages.passwordSet))
  cleanup()
  vi.restoreAllMocks()
})

/** Answers the calls in turn; a CallError is thrown. Other calls than these answer with `facts`. */
function answer(endpoint: object, answers: unknown[], facts?: unknown) {
  vi.spyOn(sync(), 'call').mockImplementation(async (asked) => {
    const next = asked === endpoint ? answers.shift() : facts
    if (next instanceof CallError) throw next
    return next
  })
}

const signIn = (ok: boolean) =>
  vi
    .spyOn(sync(), 'signIn')
    .mockResolvedValue(ok ? { ok } : { ok, reason: 'refused', message: 'No.' })

const show = (page: ReactNode) =>
  render(
    <MemoryRouter>
      {page}
      <Toaster />
    </MemoryRouter>,
  )
const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name }, { timeout: 30_000 }))

async function type(...fields: (readonly [string, string])[]) {
  for (const [label, text] of fields) {
    // oxlint-disable-next-line no-await-in-loop -- as a user does
    await userEvent.type(await screen.findByLabelText(label), text)
  }
}

const setPassword = async (answers: unknown[]) => {
  answer(endpoints.resetPassword, answers, { type: 'password', email: USER.email })
  show(<NewPassword token="token" />)
  const { newPassword, fields } = accountMessages
  await type([newPassword, PASSWORD], [fields.password_confirmation, PASSWORD])
  await press(accountMessages.set)
}

test('a password that was set is signed in with, though its link is used up', async () => {
  signIn(true)
  await setPassword([LOST, OVER])
  expect(screen.queryByText(accountMessages.passwordSet)).toBe(null)
  await press(accountMessages.set)
  expect(await screen.findByText(accountMessages.passwordSet)).toBeTruthy()
})

test.each([
  ['that is refused itself', [LOST, COMMON], 'This password is common.'],
  ['whose link is over after too many attempts', [LIMITED, OVER], OVER.message],
])('a password %s is not tried in a sign-in', async (_, answers, words) => {
  const tried = signIn(false)
  await setPassword(answers)
  await press(accountMessages.set)
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
  expect(tried).not.toHaveBeenCalled()
})

test.each([
  ['that does not sign in', [LOST, OVER], false],
  ['whose link was over before', [OVER, OVER], true],
])('a password %s was not set', async (_, answers, signsIn) => {
  const tried = signIn(signsIn)
  await setPassword(answers)
  await press(accountMessages.set)
  expect(await screen.findByText(OVER.message)).toBeTruthy()
  expect(screen.queryByText(accountMessages.passwordSet)).toBe(null)
  expect(tried).toHaveBeenCalledTimes(signsIn ? 0 : 1)
})

const accept = async (answers: unknown[], organisation: unknown) => {
  answer(endpoints.acceptOrganisationInvite, answers, organisation)
  const chosen = vi.spyOn(sync(), 'chooseOrganisation').mockResolvedValue()
  const facts = { type: 'invite', email: USER.email, organisation: NORTH } as const
  show(<AcceptInvite user={USER} token="token" facts={facts} />)
  await press(registrationMessages.accept(NORTH.name))
  await press(registrationMessages.accept(NORTH.name))
  return chosen
}

test('an invitation that was accepted opens its organisation, though it is used up', async () => {
  const chosen = await accept([LOST, OVER], NORTH)
  expect(await screen.findByText(registrationMessages.joined(NORTH.name))).toBeTruthy()
  expect(chosen).toHaveBeenCalledWith(NORTH)
})

test.each([
  ['of an organisation without the user', [LOST, OVER], OVER],
  ['that was over before', [OVER, OVER], NORTH],
])('an invitation %s was not accepted', async (_, answers, organisation) => {
  const chosen = await accept(answers, organisation)
  expect(await screen.findByText(OVER.message)).toBeTruthy()
  expect(chosen).not.toHaveBeenCalled()
})

test.each([
  ['after a lost answer', [LOST, WRONG], securityMessages.passwordMayBeNew],
  ['after a failure of the server', [DOWN, WRONG], securityMessages.passwordMayBeNew],
  [
    'after a lost answer and too many attempts',
    [LOST, LIMITED, WRONG],
    securityMessages.passwordMayBeNew,
  ],
  ['after too many attempts', [LIMITED, WRONG], 'This is not your password.'],
  ['otherwise', [WRONG, WRONG], 'This is not your password.'],
])('a present password that is wrong %s gets its own message', async (_, answers, words) => {
  answer(endpoints.changePassword, answers)
  show(<Password user={USER} onChanged={() => {}} />)
  await press(securityMessages.changePassword)
  const { currentPassword, newPassword, repeatPassword } = securityMessages
  await type([currentPassword, 'former'], [newPassword, PASSWORD], [repeatPassword, PASSWORD])
  while (answers.length > 0) {
    // oxlint-disable-next-line no-await-in-loop -- as a user does
    await press(securityMessages.changePassword)
  }
  expect(await screen.findByText(words)).toBeTruthy()
})
