// The specification sends `X-organisation` with each authenticated call while an organisation is active.
import { expect, test } from 'vitest'
import { product } from '../../../src/app/boot/product.ts'
import { waitFor } from '../engine-fixture.ts'
import { PlainFixture } from './plain-fixture.ts'

const USER_CALLS = ['getUserinfo', 'listOrganisations', 'getNotificationConsents', 'getOnboarding']

test('calls of the user carry the active organisation, too', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.requests.length = 0
  for (const name of USER_CALLS) await tab.call(product.calls[name]!, {})
  expect(stage.requests.map(({ headers }) => headers['X-organisation'])).toEqual([
    '1',
    '1',
    '1',
    '1',
  ])
  await tab.session.update('1', { active_organisation: null })
  stage.requests.length = 0
  for (const name of USER_CALLS) await tab.call(product.calls[name]!, {})
  for (const { headers } of stage.requests) expect(headers).not.toHaveProperty('X-organisation')
})

test('an operation is sent in its own organisation', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.network = () => {
    throw new Error('There is no network.')
  }
  await tab.enqueue('createAccount', { body: { id: crypto.randomUUID(), name: 'Flood Co' } })
  await tab.enqueue('updateUserinfo', { body: { name: 'Ana' } })
  const { id } = stage.plain.addOrganisation(stage.plain.users[0]!, 'South')
  await tab.session.update('1', { active_organisation: { id } })
  stage.network = stage.answer
  stage.requests.length = 0
  tab.wake()
  const sent = (path: string) =>
    stage.requests.find((one) => one.url === path && one.method !== 'GET')
  await waitFor(() => expect(sent('/api/v1/accounts')?.headers['X-organisation']).toBe('1'))
  await waitFor(() => expect(sent('/api/v1/userinfo')?.headers['X-organisation']).toBe(id))
})

test.for<[string, number, object]>(
  [400, 403, 404].flatMap((status): [string, number, object][] => [
    ['getUserinfo', status, { name: 'Ana Plain' }],
    ['listOrganisations', status, { data: [{ name: 'North' }] }],
  ]),
)(
  'an organisation that %s refuses with %i is left, and the user stays signed in',
  async ([name, status, value]) => {
    const stage = new PlainFixture()
    const tab = await stage.readTab()
    stage.network = (request) =>
      request.headers['X-organisation'] === undefined
        ? stage.answer(request)
        : { status, headers: { 'content-type': 'application/json' }, text: '{"message":"No."}' }
    const outcome = await tab.call(product.calls[name]!, {})
    expect(outcome).toMatchObject({ kind: 'answered', value })
    expect(tab.session.current().session).toMatchObject({
      user: { id: '1' },
      active_organisation: null,
    })
  },
)

test('a refusal that does not depend on the organisation clears nothing', async () => {
  const stage = new PlainFixture()
  const tab = await stage.readTab()
  stage.plain.refuse({ path: /userinfo$/ }, 403)
  expect(await tab.call(product.calls['getUserinfo']!, {})).toMatchObject({ kind: 'refused' })
  expect(tab.session.current().session?.active_organisation).toEqual({ id: '1' })
})
