// @vitest-environment jsdom
// Another server answers the change of a role with the old one, which was said to be the new one, or without the
// member: then nothing was read, and the old role stayed on the screen.
import { expect, test } from 'vitest'
import type { OrganisationUser } from '../../../contract/schemas/people.ts'
import { setRole } from '../../../src/data/members.ts'
import { stored } from '../../sync/plain/plain-fixture.ts'
import { openPlainPage } from '../fixtures/plain-page.ts'

/** Makes a member an admin at a server that does so or not, and answers with that. */
async function makeAdmin(isDone: boolean, text: (member: object) => string) {
  const { engine, stage } = await openPlainPage()
  const { tables } = stage.plain.records
  for (const one of tables['organisation-users']) one.pivot = { role: 'member' }
  await engine.pullScheduler.pullAgain()
  const rows = async () => (await stored(engine, 'organisation_users')) as OrganisationUser[]
  const [member] = await rows()
  if (!member) throw new Error('There are no members.')
  stage.network = (request) => {
    if (request.method !== 'PUT' || !/organisation-users/.test(request.url))
      return stage.answer(request)
    const row = tables['organisation-users'].find(({ id }) => id === member.id)
    if (row && isDone) row.pivot = { role: 'admin' }
    const headers = { 'content-type': 'application/json' }
    return { status: 200, headers, text: text({ ...member, pivot: row?.pivot }) }
  }
  const roleHere = async () => (await rows()).find(({ id }) => id === member.id)?.pivot.role
  return { outcome: setRole(member, 'admin'), roleHere }
}
const whole = (member: object) => JSON.stringify({ data: member })

test('the change has succeeded if the answer has the new role, and not if it has another one', async () => {
  const kept = await makeAdmin(true, whole)
  expect(await kept.outcome).toBe(true)
  const lost = await makeAdmin(false, whole)
  expect(await lost.outcome).toBe(false)
})

test.for(['', '{"message":"ok"}'])(
  'after the answer “%s” the list of members tells whether the change has succeeded',
  async (text) => {
    const kept = await makeAdmin(true, () => text)
    expect(await kept.outcome).toBe(true)
    expect(await kept.roleHere()).toBe('admin')
    const lost = await makeAdmin(false, () => text)
    await expect(lost.outcome).rejects.toMatchObject({ isTaken: true })
    expect(await lost.roleHere()).toBe('member')
  },
)
